// Handlers of products and variants.
import type { CatalogRpcs, ListProductsRequest } from '#proto/gen/catalog.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';
import { type Call, notFound, Refusal, Rendered, type Reply } from '#runtime/call/call.ts';
import { type Handlers, type ReadCall, read, transaction } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import {
  listAnswer,
  pricedListAnswer,
  specificationAnswer,
  translatedDetail,
  withLowestPrices,
} from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { ProductEntry } from '#services/catalog/memory/entry.ts';
import { listPage } from '#services/catalog/memory/listing.ts';
import type { PartRequest } from '#services/catalog/memory/part.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import type { ShownPrices, ShowPrices } from '#services/catalog/memory/shown_price.ts';
import { loadListPart } from '#services/catalog/memory/stored_list.ts';
import type { PriceHistory } from '#services/catalog/price_history.ts';
import {
  addVariant,
  changeVariant,
  type ProductRecord,
  removeVariant,
  writeProduct,
} from '#services/catalog/product.ts';
import type { ProductStore } from '#services/catalog/product_store.ts';
import type { WrittenProduct } from '#services/catalog/product_write.ts';
import { madeFrom } from '#services/commerce/dependency.ts';
import { namesLowestPrice } from '#services/commerce/lowest_price.ts';
import { refuseOutdated } from '#services/commerce/record_version.ts';
import { languageOf } from '#services/commerce/translation.ts';

export const seesEverything = (call: Pick<Call, 'keyType'>): boolean =>
  call.keyType === 'secret' || call.keyType === 'internal';

/** Wraps a handler that reads the catalogue in memory; it runs synchronously if the catalogue is loaded. */
export const fromMemory = <R extends { request: unknown; response: unknown }>(
  pool: CataloguePool,
  run: (catalogue: Catalogue, call: Call, input: R['request']) => Reply<R['response']> | Promise<Reply<R['response']>>,
): ReadCall<R['request'], R['response']> =>
  read((call, input) => {
    const catalogue = pool.get(call);
    return catalogue instanceof Promise
      ? catalogue.then((woken) => run(woken, call, input))
      : run(catalogue, call, input);
  });

/** Like `fromMemory`, but of a large catalogue that is not loaded the handler sees only what `select` names. */
export const fromPart = <R extends { request: unknown; response: unknown }>(
  pool: CataloguePool,
  select: (input: R['request']) => PartRequest,
  run: (catalogue: Catalogue, call: Call, input: R['request']) => Reply<R['response']> | Promise<Reply<R['response']>>,
): ReadCall<R['request'], R['response']> =>
  read((call, input) => {
    const catalogue = pool.getPart(call, select(input));
    return catalogue instanceof Promise
      ? catalogue.then((part) => run(part, call, input))
      : run(catalogue, call, input);
  });

const encoder = new TextEncoder();

export const rendered = (answer: object, revision: number, product: string | null = null): Rendered =>
  new Rendered(encoder.encode(JSON.stringify(answer)), madeFrom('catalog', revision, product));

const written = (outcome: WrittenProduct | Refusal | null): Reply<never> => {
  if (outcome === null) return notFound('product');
  if (outcome instanceof Refusal) return outcome;
  return new Rendered(encoder.encode(outcome.detail), madeFrom('catalog', outcome.revision, outcome.product.id));
};

/** Passes the prices that the response shows to `run`, synchronously for the store's own currency. */
export const atPrices = <T>(
  prices: ReturnType<ShowPrices>,
  run: (prices: ShownPrices) => T | Refusal | Promise<T | Refusal>,
): T | Refusal | Promise<T | Refusal> => {
  const answer = (shown: ShownPrices | Refusal): T | Refusal | Promise<T | Refusal> =>
    shown instanceof Refusal ? shown : run(shown);
  return prices instanceof Promise ? prices.then(answer) : answer(prices);
};

/** Lists the products of all of an operator's merchants; null if the call is for one store. */
export type ListMerchantProducts = (call: Call, input: ListProductsRequest) => Promise<Rendered | Refusal | null>;

const oneProduct = ({ id }: { readonly id: string }): PartRequest => ({ products: [id] });

export const isVisible = (call: Call, entry: ProductEntry | undefined): entry is ProductEntry =>
  entry !== undefined && (entry.active || seesEverything(call));

export interface ProductReading {
  readonly clock: Clock;
  readonly showPrices: ShowPrices;
  readonly priceHistory: PriceHistory;
  readonly listMerchantProducts: ListMerchantProducts;
}

export const productHandlers = (
  pool: CataloguePool,
  products: ProductStore,
  { clock, showPrices, priceHistory, listMerchantProducts }: ProductReading,
): Omit<Handlers<CatalogRpcs>, 'ListPriceHistory'> => {
  const detailOf = (
    catalogue: Catalogue,
    call: Call,
    entry: ProductEntry | undefined,
    input: { readonly currency?: string; readonly language?: string; readonly fields?: string },
  ): Reply<never> | Promise<Reply<never>> => {
    if (!isVisible(call, entry)) return notFound('product');
    return atPrices(showPrices(catalogue, call, input.currency), (prices) => {
      const detail = translatedDetail(entry, catalogue, languageOf(call, input), prices);
      // Without a revision no edge stores the answer, since its prices also change with the rate and its age.
      const dependsOn = prices.currency === null ? madeFrom('catalog', catalogue.revision, entry.id) : [];
      if (!namesLowestPrice(input.fields)) return new Rendered(detail, dependsOn);
      return priceHistory
        .lowestOf(call.tenant, [entry], prices)
        .then((lowest) => new Rendered(withLowestPrices(detail, lowest, prices), dependsOn));
    });
  };

  const listOf = (catalogue: Catalogue, call: Call, input: ListProductsRequest): Reply<never> | Promise<Reply<never>> =>
    atPrices(showPrices(catalogue, call, input.currency), (prices) => {
      const page = listPage(catalogue, call.tenant, input, seesEverything(call), prices);
      if (page instanceof Refusal) return page;
      const view = { fields: input.fields, language: languageOf(call, input) };
      if (namesLowestPrice(input.fields)) {
        const { revision } = catalogue;
        return priceHistory.lowestOf(call.tenant, page.entries, prices).then((lowest) => {
          const body = pricedListAnswer(page, catalogue, prices, { ...view, lowest });
          return new Rendered(body, prices.currency === null ? madeFrom('catalog', revision) : []);
        });
      }
      if (prices.currency !== null) return new Rendered(pricedListAnswer(page, catalogue, prices, view));
      return new Rendered(listAnswer(page, catalogue, view), madeFrom('catalog', catalogue.revision));
    });

  const listStore = (call: Call, input: ListProductsRequest): Reply<never> | Promise<Reply<never>> => {
    const catalogue = pool.getLoaded(call, (sql, frame) =>
      loadListPart({ sql, clock, frame, showPrices }, call, input, seesEverything(call)),
    );
    return catalogue instanceof Promise
      ? catalogue.then((part) => listOf(part, call, input))
      : listOf(catalogue, call, input);
  };

  return {
    ListProducts: read((call, input: ListProductsRequest) =>
      call.keyType === 'operator'
        ? listMerchantProducts(call, input).then((listed) => listed ?? listStore(call, input))
        : listStore(call, input),
    ),

    GetProduct: fromPart<CatalogRpcs['GetProduct']>(pool, oneProduct, (catalogue, call, { id, ...input }) =>
      detailOf(catalogue, call, catalogue.product(id), input),
    ),

    GetProductBySlug: fromPart<CatalogRpcs['GetProductBySlug']>(
      pool,
      ({ slug }) => ({ slugs: [slug] }),
      (catalogue, call, { slug, ...input }) => detailOf(catalogue, call, catalogue.bySlug(slug), input),
    ),

    GetSpecifications: fromPart<CatalogRpcs['GetSpecifications']>(
      pool,
      oneProduct,
      (catalogue, call, { id, ...view }) => {
        const entry = catalogue.product(id);
        if (!isVisible(call, entry)) return notFound('product');
        const answer = specificationAnswer(entry, languageOf(call, view));
        return new Rendered(answer, madeFrom('catalog', catalogue.revision, entry.id));
      },
    ),

    CreateProduct: transaction(async (tx, call, row) => written(await products.create(tx, call.tenant, row))),

    UpdateProduct: transaction(async (tx, call, { id, ...row }) =>
      written(await products.change(tx, call.tenant, id, (before, around) => writeProduct(before, row, around), row)),
    ),

    DeleteProduct: transaction(async (tx, call, input) => {
      const id = input.id.toLowerCase();
      const revision = await products.delete(tx, call.tenant, id);
      return revision === null ? notFound('product') : rendered({ deleted: true, id }, revision, id);
    }),

    CreateVariant: transaction(async (tx, call, { id, ...variant }) =>
      written(await products.change(tx, call.tenant, id, (before, around) => addVariant(before, variant, around))),
    ),

    UpdateVariant: transaction(async (tx, call, { id, variant_id, version, ...change }) =>
      written(
        await products.change(tx, call.tenant, id, (before, around) => {
          if (!hasVariant(before, variant_id)) return notFound('variant');
          const outdated = refuseOutdated('product', before, version);
          return outdated ?? changeVariant(before, variant_id.toLowerCase(), change as NewVariant, around);
        }),
      ),
    ),

    DeleteVariant: transaction(async (tx, call, input) => {
      const id = input.variant_id.toLowerCase();
      const outcome = await products.change(tx, call.tenant, input.id, (before, { now }) =>
        hasVariant(before, id) ? removeVariant(before, id, now) : notFound('variant'),
      );
      if (outcome === null) return notFound('product');
      if (outcome instanceof Refusal) return outcome;
      return rendered({ deleted: true, id }, outcome.revision, outcome.product.id);
    }),
  };
};

const hasVariant = (product: ProductRecord, id: string): boolean =>
  product.variants.some((variant) => variant.id === id.toLowerCase());
