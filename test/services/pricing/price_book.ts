// Builds variants, promotions and tax rates for engine tests, with plain defaults.
import type { BasketItem } from '#services/pricing/basket.ts';
import type { PromotionRule, Targets } from '#services/pricing/discount.ts';
import type { PriceContext, PricedVariant, PriceList } from '#services/pricing/price.ts';
import type { TaxRule } from '#services/pricing/tax.ts';

let count = 0;
const nextId = (kind: string): string => `${kind}-${String(++count).padStart(6, '0')}`;

export interface ListPrices {
  readonly list: PriceList;
  /** `[1, 900, 10, 800]`: 9.00 from one unit, 8.00 from ten units. */
  readonly breaks: readonly number[];
}

export const variant = ({
  lists = [],
  ...given
}: Partial<Omit<PricedVariant, 'lists'>> & { lists?: ListPrices[] } = {}): PricedVariant => {
  const id = given.id ?? nextId('variant');
  return {
    id,
    product: `product-of-${id}`,
    category: null,
    subcategory: null,
    collections: [],
    active: true,
    price: 1_000,
    salePrice: null,
    lists: lists.map(({ list }) => list),
    listPrices: lists.flatMap(({ breaks }, place) =>
      breaks.flatMap((from, at) => (at % 2 === 0 ? [place, from, breaks[at + 1]!] : [])),
    ),
    ...given,
  };
};

export const priceList = (breaks: readonly number[], given: Partial<PriceList> = {}): ListPrices => ({
  list: {
    id: nextId('list'),
    currency: 'USD',
    group: null,
    startsAt: Number.NEGATIVE_INFINITY,
    endsAt: Number.POSITIVE_INFINITY,
    ...given,
  },
  breaks,
});

export const BUYER: PriceContext = { currency: 'USD', storeCurrency: 'USD', group: null, now: 1_000 };

const PERCENT = 10_000;

/** Ids of products, categories or collections. */
export const only = (...ids: string[]): Targets => {
  const set = new Set(ids);
  return { products: set, categories: set, collections: set };
};

const rule = (given: Partial<PromotionRule>): PromotionRule => ({
  id: nextId('rule'),
  name: 'A promotion',
  translations: null,
  code: null,
  type: 'percentage',
  value: 0,
  currency: 'USD',
  targets: null,
  buy: 0,
  get: 0,
  getDiscount: 0,
  minimum: null,
  stackable: false,
  ...given,
});

export const percent = (value: number, given: Partial<PromotionRule> = {}): PromotionRule =>
  rule({ type: 'percentage', value: value * PERCENT, ...given });
export const off = (value: number, given: Partial<PromotionRule> = {}): PromotionRule =>
  rule({ type: 'fixed_amount', value, ...given });
export const freeShipping = (given: Partial<PromotionRule> = {}): PromotionRule =>
  rule({ type: 'free_shipping', ...given });
export const buyGet = (buy: number, get: number, discount = 100, given: Partial<PromotionRule> = {}): PromotionRule =>
  rule({ type: 'buy_x_get_y', buy, get, getDiscount: discount * PERCENT, ...given });

/** `[[500, 3], [200, 1]]`: three units at 5.00 and one at 2.00. */
export const items = (pieces: readonly (readonly [number, number])[]): BasketItem[] =>
  pieces.map(([price, quantity]) => ({ variant: variant({ price }), quantity }));

export const taxRule = (percentage: number, given: Partial<TaxRule> = {}): TaxRule => ({
  id: nextId('rate'),
  name: `${percentage} %`,
  country: 'KE',
  state: null,
  postalPrefix: null,
  rate: Math.round(percentage * PERCENT),
  category: null,
  shipping: false,
  priority: 0,
  compound: false,
  ...given,
});
