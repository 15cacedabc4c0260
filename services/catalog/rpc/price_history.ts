// The handler of a product's former prices.
import type { CatalogRpcs, ListPriceHistoryRequest, ShownPrice } from '#proto/gen/catalog.ts';
import { foreignCursor, invalid, notFound, tenantKey } from '#runtime/call/call.ts';
import type { Handlers } from '#runtime/domain/rpc.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { PERIODS_OF_PRODUCT_MAX, type PriceHistory, type ShownPriceOf } from '#services/catalog/price_history.ts';
import { currencyOf } from '#values/currency.ts';
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';
import { toMajor } from '#values/money.ts';
import { fromPart, isVisible, rendered } from './product.ts';

const LIMIT_DEFAULT = 20;

const shownPriceOf = (shown: ShownPriceOf): ShownPrice => {
  const { variantId, currency, selling, regular, source, fromMs, toMs } = shown;
  return {
    variant_id: variantId,
    currency,
    price: toMajor(selling, currencyOf(currency)),
    compare_at_price: regular === null || regular <= selling ? null : toMajor(regular, currencyOf(currency)),
    source,
    from: new Date(fromMs).toISOString(),
    to: toMs === null ? null : new Date(toMs).toISOString(),
  };
};

const keysOf = ({ fromMs, variantId, currency }: ShownPriceOf): readonly CursorKey[] => [
  fromMs,
  variantId,
  currency.toLowerCase(),
];

/** Whether the price is behind the cursor's, in the order of the list. */
const isAfter = (shown: ShownPriceOf, keys: readonly CursorKey[]): boolean => {
  const own = keysOf(shown);
  const differing = own.findIndex((key, at) => key !== keys[at]);
  if (differing < 0) return false;
  const isGreater = own[differing]! > keys[differing]!;
  return differing === 0 ? !isGreater : isGreater;
};

type Filters = Pick<ListPriceHistoryRequest, 'currency' | 'from' | 'to'>;

const matches = ({ currency, fromMs, toMs }: ShownPriceOf, filters: Filters): boolean =>
  (filters.currency === undefined || currency === filters.currency.toUpperCase()) &&
  (filters.from === undefined || toMs === null || toMs > Date.parse(filters.from)) &&
  (filters.to === undefined || fromMs < Date.parse(filters.to));

export const priceHistoryHandlers = (
  pool: CataloguePool,
  { historyOf }: PriceHistory,
): Pick<Handlers<CatalogRpcs>, 'ListPriceHistory'> => ({
  ListPriceHistory: fromPart<CatalogRpcs['ListPriceHistory']>(
    pool,
    ({ id }) => ({ products: [id] }),
    async (catalogue, call, { id, variant_id, limit = LIMIT_DEFAULT, cursor, fields: _, ...filters }) => {
      const { revision } = catalogue;
      const entry = catalogue.product(id);
      if (!isVisible(call, entry)) return notFound('product');
      const variant = variant_id?.toLowerCase() ?? null;
      const scope = JSON.stringify(['price_history', tenantKey(call.tenant), entry.id, variant, filters]);
      const after = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id', 'slug']);
      if (cursor !== undefined && after === null) return foreignCursor(cursor);
      const history = await historyOf(call.tenant, entry.id, variant);
      if (history === null)
        return invalid(
          'variant_id',
          `The product has more than ${PERIODS_OF_PRODUCT_MAX} former prices. Name one of its variants in \`variant_id\`.`,
        );
      const left = history.filter((shown) => matches(shown, filters) && (after === null || isAfter(shown, after)));
      const page = left.slice(0, limit);
      const next = left.length > limit ? encodeCursor(scope, keysOf(page.at(-1)!)) : null;
      const pagination = { limit, has_more: next !== null, next_cursor: next };
      return rendered({ price_history: page.map(shownPriceOf), pagination }, revision, entry.id);
    },
  ),
});
