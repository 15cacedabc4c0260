// Reads from Postgres the part of a catalogue that a page of a product list shows.
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { ProductFrame } from '#services/catalog/product_text.ts';
import { collectionMembers } from '#services/catalog/table/collection.ts';
import {
  pageOfIds,
  priceKey,
  type StoredList,
  type StoredPosition,
  type StoredSort,
} from '#services/catalog/table/product_list.ts';
import type { CursorKey } from '#values/cursor.ts';
import { Catalogue } from './catalogue.ts';
import { cursorOf, LIMIT_DEFAULT, listPage } from './listing.ts';
import { type ProductSort, sortKeysOf } from './order.ts';
import { loadPart, type PartRequest } from './part.ts';
import type { ShownPrices, ShowPrices } from './shown_price.ts';

/** Products that one page may read; a list that needs more waits until the catalogue is loaded. */
const PRODUCTS_MAX = 1_000;
/** Each read of a page's products is this many times the one before. */
const GROWTH = 4;

export interface ListReading {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly frame: ProductFrame;
  readonly showPrices: ShowPrices;
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MS_MAX = Date.UTC(10_000, 0);

const storedSort = (sort: ProductSort, { isOrdered }: ShownPrices): StoredSort | null => {
  if (sort === 'name') return null;
  return isOrdered || (sort !== 'price_asc' && sort !== 'price_desc') ? sort : null;
};

/** Returns null for keys that no cursor of ours holds. */
const positionOf = (sort: StoredSort, cursor: readonly CursorKey[]): StoredPosition | null => {
  const { id, createdAt, selling, featured, featuredOrder, rating, reviews } = sortKeysOf(sort, cursor);
  const keys = {
    newest: [],
    featured: [Number(featured), featured ? -featuredOrder : 0],
    rating: [rating ?? 0, reviews],
    price_asc: [priceKey('price_asc', selling)],
    price_desc: [priceKey('price_desc', selling)],
  }[sort];
  const isTime = Number.isSafeInteger(createdAt) && createdAt >= 0 && createdAt < MS_MAX;
  const isWhole = sort === 'featured' || sort === 'rating' || keys.every(Number.isSafeInteger);
  if (!isTime || typeof id !== 'string' || !ID.test(id) || !isWhole || !keys.every(Number.isFinite)) return null;
  return { keys, createdAt: new Date(createdAt), id };
};

const basePrices = (
  { min_price, max_price }: ListProductsRequest,
  { currency, frame }: ShownPrices,
): StoredList['prices'] => {
  if (currency !== null || (min_price === undefined && max_price === undefined)) return null;
  // One unit more on both sides covers what the product of two floats lacks.
  const scale = 10 ** frame.currency.exponent;
  const min = Math.floor((min_price ?? 0) * scale) - 1;
  return { min, max: max_price === undefined ? Number.POSITIVE_INFINITY : Math.ceil(max_price * scale) + 1 };
};

const namedPart = async (
  { sql }: ListReading,
  { tenant }: Pick<Call, 'tenant'>,
  { collection_id, ids = [] }: ListProductsRequest,
): Promise<PartRequest | null> => {
  if (collection_id === undefined) return { products: ids };
  const products = await collectionMembers(sql, tenant, collection_id, PRODUCTS_MAX + 1);
  return products.length > PRODUCTS_MAX ? null : { products, collections: [collection_id] };
};

/**
 * Returns a catalogue from which `listPage` answers as from the whole one; null if Postgres does not have the order, or if
 * the page would read too many products.
 */
export const loadListPart = async (
  reading: ListReading,
  call: Pick<Call, 'tenant'>,
  request: ListProductsRequest,
  everything: boolean,
): Promise<Catalogue | null> => {
  const { sql, clock, frame, showPrices } = reading;
  const { tenant } = call;
  const load = (part: PartRequest): Promise<Catalogue> => loadPart(sql, clock, tenant, frame, [part]);
  if (request.ids !== undefined || request.collection_id !== undefined) {
    const part = await namedPart(reading, call, request);
    return part && load(part);
  }
  const none = new Catalogue(frame);
  const prices = await showPrices(none, call, request.currency);
  if (prices instanceof Refusal || request.sort === 'collection') return none;
  const cursor = cursorOf(tenant, request, prices);
  if (cursor instanceof Refusal) return none;
  const sort = storedSort(request.sort ?? 'newest', prices);
  const after = sort && cursor && positionOf(sort, cursor);
  if (sort === null || (cursor !== null && after === null)) return null;
  const list: StoredList = {
    sort,
    after,
    request,
    isActiveOnly: !everything,
    lowStockThreshold: frame.lowStockThreshold,
    currency: frame.currency.code,
    prices: basePrices(request, prices),
    now: clock.now(tenant),
  };
  const products: string[] = [];
  for (let limit = (request.limit ?? LIMIT_DEFAULT) + 1; products.length + limit <= PRODUCTS_MAX; limit *= GROWTH) {
    const ids = await pageOfIds(sql, tenant, list, products.length, limit);
    products.push(...ids);
    const catalogue = await load({ products });
    if (ids.length < limit) return catalogue;
    const shown = await showPrices(catalogue, call, request.currency);
    if (shown instanceof Refusal) return catalogue;
    const page = listPage(catalogue, tenant, request, everything, shown);
    if (page instanceof Refusal || page.nextCursor !== null) return catalogue;
  }
  return null;
};
