// Checks products, customers and collections by the API's rules, so that a dry run finds everything that a push would
// refuse.
import { type TObject, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { CreateCustomerRequest } from '#proto/gen/account.schema.ts';
import { CreateCollectionRequest } from '#proto/gen/collection.schema.ts';
import { UpdateProductRequest } from '#proto/gen/product_request.schema.ts';
import { compile, type Validate } from '#proto/validate.ts';
import { nameKey, normalEmail } from '#values/text.ts';
import type { FoundProduct, ImportedCatalogue, ImportedProduct, Problem } from './catalogue.ts';

const {
  id: _id,
  category_id: _category,
  subcategory_id: _sub,
  ...fields
} = (UpdateProductRequest as TObject).properties;
const checkProduct = compile({
  request: Type.Object({
    ...fields,
    external_id: Text({ minLength: 1, maxLength: 200 }),
    category: Type.Optional(Type.Union([Text({ maxLength: 1_000 }), Type.Null()])),
    name: Text({ minLength: 1, maxLength: 500 }),
  }),
});
const checkCustomer = compile({ request: CreateCustomerRequest });
const checkCollection = compile({ request: CreateCollectionRequest });

const sent = (value: object): unknown => JSON.parse(JSON.stringify(value));

const problemOf = (check: Validate, value: object, row: number | null, id: string): Problem | null => {
  const verdict = check(sent(value));
  if (verdict.ok) return null;
  const { param, message } = verdict;
  return { row, id, param: param || null, message, whole: true, ...(/(^|[._])url$/.test(param) && { damaged: true }) };
};

const soldOf = ({ variants, sku, price }: ImportedProduct) => (variants?.length ? variants : [{ sku, price }]);

const withoutPrice = ({ row, product }: FoundProduct): Problem | null =>
  soldOf(product).every(({ price }) => price !== undefined && price !== null)
    ? null
    : {
        row,
        id: product.external_id,
        param: 'price',
        message: 'What has no price is shown, and not sold.',
        whole: false,
      };

const openSkus = () => {
  const owners = new Map<string, FoundProduct>();
  return (found: FoundProduct): Problem | null => {
    const skus = soldOf(found.product).flatMap(({ sku }) => sku ?? []);
    const taken = skus.find((sku) => owners.has(nameKey(sku)));
    if (taken === undefined) {
      for (const sku of skus) owners.set(nameKey(sku), found);
      return null;
    }
    const message = `The SKU ${taken} is that of row ${owners.get(nameKey(taken))!.row}.`;
    return { row: found.row, id: found.product.external_id, param: 'sku', message, whole: true };
  };
};

/**
 * Keeps the last of several records with the same id, and the first with the same SKU or e-mail address; reports the
 * others as problems.
 */
export const checked = (catalogue: ImportedCatalogue): ImportedCatalogue => {
  const problems = [...catalogue.problems];
  const passes = (check: Validate, value: object, row: number | null, id: string): boolean => {
    const problem = problemOf(check, value, row, id);
    if (problem) problems.push(problem);
    return problem === null;
  };
  const skuTaken = openSkus();
  const last = new Map(catalogue.products.map((found) => [found.product.external_id, found]));
  const products = catalogue.products.filter((found) => {
    const id = found.product.external_id;
    if (last.get(id) === found) {
      if (!passes(checkProduct, found.product, found.row, id)) return false;
      const [reused, unsold] = [skuTaken(found), withoutPrice(found)];
      problems.push(...[reused ?? unsold].filter((each) => each !== null));
      return reused === null;
    }
    problems.push({
      row: found.row,
      id,
      param: 'external_id',
      message: `Row ${last.get(id)!.row} has the same id: that one is brought.`,
      whole: true,
    });
    return false;
  });
  const addresses = new Map<string, number>();
  const customers = catalogue.customers.filter(({ row, customer }) => {
    const { email } = customer;
    if (!passes(checkCustomer, customer, row, email)) return false;
    const first = addresses.get(normalEmail(email));
    if (first === undefined) addresses.set(normalEmail(email), row);
    else
      problems.push({
        ...{ row, id: email, param: 'email', whole: true },
        message: `Row ${first} has the same e-mail address: that one is brought.`,
      });
    return first === undefined;
  });
  const collections = catalogue.collections.filter((one) => passes(checkCollection, one, null, one.name));
  return { ...catalogue, products, customers, collections, problems };
};
