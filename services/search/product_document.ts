// Converts a product of the catalogue to the index's document.
import type { Product } from '#proto/gen/product.ts';
import { plainText } from '#values/html.ts';
import type { AttributeValue, SearchDocument } from './engine/document.ts';
import { type Analysis, PLAIN } from './text/analysis.ts';
import { headOf, kindsOf } from './text/head.ts';

interface VariantFields {
  readonly sku?: string | null;
  readonly gtin?: string | null;
  readonly mpn?: string | null;
  readonly variant_name?: string | null;
  readonly variant_attributes?: Readonly<Record<string, unknown>> | null;
  readonly condition?: string;
  readonly selling_price?: number | null;
  readonly stock?: number | null;
  readonly is_default?: boolean | null;
}

export const documentOf = (product: Product, analysis: Analysis = PLAIN): SearchDocument => {
  const sold: readonly VariantFields[] = product.variants ?? [product];
  const shown = sold.find(({ is_default }) => is_default) ?? sold[0];
  const own = pairsOf(product.attributes);
  const attributes = distinct([...own, ...sold.flatMap(({ variant_attributes }) => pairsOf(variant_attributes))]);
  const names = sold.length > 1 ? sold.map(({ variant_name }) => variant_name) : [];
  return {
    id: product.id,
    active: product.is_active === true,
    texts: {
      name: product.name,
      head: lines(
        kindsIn(
          headOf(
            product.name,
            [product.brand ?? '', ...attributes.flatMap(([, value]) => (typeof value === 'string' ? value : []))],
            analysis,
          ),
          [product.category_name, product.subcategory_name],
          analysis,
        ),
      ),
      brand: product.brand ?? '',
      category: lines([
        product.category_name,
        product.subcategory_name,
        ...(product.tags ?? []),
        ...(product.seo_keywords ?? []),
      ]),
      code: lines(sold.flatMap(({ sku, gtin, mpn }) => [sku, gtin, mpn]).flatMap(codeForms)),
      attribute: lines([
        ...attributes.map(([, value]) => (typeof value === 'string' ? plainText(value) : null)),
        ...names,
      ]),
      description: plainText(product.description),
    },
    brand: product.brand,
    category: product.category_id,
    subcategory: product.subcategory_id,
    tags: product.tags ?? [],
    attributes,
    conditions: [...new Set(sold.flatMap(({ condition }) => condition ?? []))],
    price: shown?.selling_price ?? null,
    prices: sold.flatMap(({ selling_price }) => selling_price ?? []),
    variants:
      sold.length < 2
        ? []
        : sold.map(({ condition = 'new', selling_price = null, stock, variant_attributes }) => ({
            condition,
            price: selling_price,
            inStock: (stock ?? 0) > 0,
            attributes: distinct([...own, ...pairsOf(variant_attributes)]),
          })),
    inStock: sold.some(({ stock }) => (stock ?? 0) > 0),
    rating: product.average_rating,
    reviews: product.review_count,
    createdAt: Date.parse(product.created_at ?? '') || 0,
  };
};

/**
 * Returns the kinds that a product's name and categories state. A category with several kinds, such as "Mugs & Cups",
 * adds none if the name states one of them.
 */
const kindsIn = (head: string, categories: readonly (string | null)[], analysis: Analysis): string[] => {
  const { stem } = analysis;
  const others = categories.map((category) => kindsOf(category ?? '', analysis));
  return [head, ...others.flatMap((kinds) => (kinds.some((kind) => stem(kind) === stem(head)) ? [] : kinds))];
};

const lines = (texts: readonly (string | null | undefined)[]): string => [...new Set(texts.filter(Boolean))].join('\n');

/** Returns further spellings of a code: `AB 12-34` is also indexed as `ab1234`. */
const codeForms = (code: string | null | undefined): (string | null | undefined)[] =>
  code?.includes(' ') ? [code, code.replace(/[^\p{L}\p{N}]+/gu, '')] : [code];

const isValue = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const pairsOf = (
  attributes: Readonly<Record<string, unknown>> | null | undefined,
): (readonly [string, AttributeValue])[] =>
  Object.entries(attributes ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isValue).map((each) => [name, each] as const),
  );

const distinct = (pairs: readonly (readonly [string, AttributeValue])[]): (readonly [string, AttributeValue])[] => {
  if (pairs.length < 2) return [...pairs];
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
};
