// Prices of a search in another currency than the store's: filters are converted into the store's, facets out of it.
import type { SearchFacet, SearchProductsRequest } from '#proto/gen/search.ts';
import { type Call, invalid, Refusal } from '#runtime/call/call.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type SellingCurrency, type StoreCurrencies, sellingCurrency } from '#services/commerce/selling_currency.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Conversion, convertPrice, lowestPriceFor } from '#values/exchange.ts';
import { AMOUNT_MAX, fromMajor, toMajor } from '#values/money.ts';
import type { Filters } from './engine/filter.ts';

type Bounds = NonNullable<Filters['price']>;

const scaled = (major: number, exponent: number, round: (value: number) => number): number =>
  Math.min(AMOUNT_MAX, Math.max(0, round(major * 10 ** exponent)));

/** Returns the bounds in the store's currency between which exactly the prices lie whose conversions lie in `bounds`. */
export const boundsInStoreCurrency = ({ gte, lte }: Bounds, exchange: Conversion): Bounds => {
  const { from, to } = exchange;
  const least = gte === undefined ? 0 : lowestPriceFor(scaled(gte, to.exponent, Math.ceil), exchange);
  const above = lte === undefined ? null : lowestPriceFor(scaled(lte, to.exponent, Math.floor) + 1, exchange);
  return {
    // No price is infinite, so that this bound finds none.
    gte: least === null ? Number.POSITIVE_INFINITY : toMajor(least, from),
    lte: lte === undefined || above === null ? undefined : toMajor(above - 1, from),
  };
};

const converted = (major: number | null | undefined, exchange: Conversion): number | null => {
  if (major == null) return null;
  const price = convertPrice(fromMajor(major, exchange.from), exchange);
  return price === null ? null : toMajor(price, exchange.to);
};

/** Converts the range of the facet `price`. */
export const facetIn = (facet: SearchFacet, selling: SellingCurrency | null): SearchFacet => {
  if (selling === null || facet.key !== 'price') return facet;
  return { ...facet, min: converted(facet.min, selling.exchange), max: converted(facet.max, selling.exchange) };
};

/** Returns the parameter by which a search compares prices; null if it does not. */
export const comparedPrice = ({
  filters,
  facets,
  sort,
}: Pick<SearchProductsRequest, 'filters' | 'facets' | 'sort'>): string | null => {
  if (filters?.price) return 'filters.price';
  const at = (facets ?? []).indexOf('price');
  if (at >= 0) return `facets[${at}]`;
  return sort === 'price_asc' || sort === 'price_desc' ? 'sort' : null;
};

/** Returns the search's currency; null for the store's own. */
export const searchCurrency = async (
  profiles: StoreProfiles<StoreCurrencies>,
  clock: Pick<Clock, 'now'>,
  { tenant }: Call,
  input: SearchProductsRequest,
): Promise<SellingCurrency | Refusal | null> => {
  if (!input.currency) return null;
  const selling = sellingCurrency(await profiles.get(tenant), tenant, input.currency, clock.now(tenant).getTime());
  if (selling === null || selling instanceof Refusal || selling.prices === 'rate') return selling;
  const param = comparedPrice(input);
  const code = selling.currency.code;
  return param === null
    ? selling
    : invalid(param, `A search cannot compare prices in ${code}, which are fixed. List products in ${code} instead.`);
};
