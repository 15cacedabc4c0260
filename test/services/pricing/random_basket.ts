// Generates random baskets for the oracle: price lists, every promotion type and condition, every kind of tax, three
// currencies. A seed and an index reproduce a basket.
import type { BasketItem } from '#services/pricing/basket.ts';
import type { PricedVariant } from '#services/pricing/price.ts';
import type { PromotionStatus, PromotionType } from '#services/pricing/promotion.ts';
import type { CountedPromotion } from '#services/pricing/table/promotion.ts';
import type { Uses } from '#services/pricing/table/use.ts';
import type { TaxAddress } from '#services/pricing/tax.ts';
import type { TaxRateRecord } from '#services/pricing/tax_rate.ts';
import { type ListPrices, variant } from './price_book.ts';

export interface Case {
  readonly currency: string;
  readonly storeCurrency: string;
  readonly inclusive: boolean;
  readonly group: string | null;
  /** Milliseconds. */
  readonly now: number;
  readonly items: readonly BasketItem[];
  readonly promotions: readonly CountedPromotion[];
  readonly taxRates: readonly TaxRateRecord[];
  readonly codes: readonly string[];
  readonly uses: ReadonlyMap<string, Uses>;
  readonly fee: number | null;
  readonly place: TaxAddress | null;
}

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MADE = new Date(NOW - 1_000_000);
const CURRENCIES = ['USD', 'JPY', 'KWD'] as const;
const CATEGORIES = ['c1', 'c2', 'c3'] as const;
const SUBCATEGORIES = { c1: ['c1a', 'c1b'], c2: ['c2a'], c3: [] } as const;

/** Deterministic random numbers (splitmix32). */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)]!;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  times<T>(most: number, make: (at: number) => T): T[] {
    return Array.from({ length: this.between(0, most) }, (_, at) => make(at));
  }

  some<T>(values: readonly T[], share = 0.4): T[] {
    return values.filter(() => this.chance(share));
  }
}

/** Small and large amounts, sometimes so large that products exceed 2^53. */
const amount = (dice: Dice, least = 1): number =>
  dice.chance(0.03) ? dice.between(1_000_000_000, 9_999_999_999) : dice.between(least, dice.pick([20, 999, 50_000]));

const listOf = (dice: Dice, at: number, currency: string): ListPrices => {
  const froms = [...new Set(dice.times(3, () => dice.between(1, 30)))].sort((a, b) => a - b);
  return {
    list: {
      id: `list-${at}`,
      currency: dice.chance(0.85) ? currency : dice.pick(CURRENCIES),
      group: dice.pick([null, null, 'trade', 'staff']),
      startsAt: dice.pick([Number.NEGATIVE_INFINITY, NOW - 1, NOW, NOW + 1]),
      endsAt: dice.pick([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, NOW, NOW + 1]),
    },
    breaks: froms.flatMap((from) => [from, amount(dice, 0)]),
  };
};

const variantOf = (dice: Dice, at: number, currency: string): PricedVariant => {
  const category = dice.pick([null, ...CATEGORIES]);
  const subcategories: readonly string[] = category === null ? [] : SUBCATEGORIES[category];
  return variant({
    id: `variant-${at}`,
    product: dice.pick(['p1', 'p2', 'p3', 'p4']),
    category,
    subcategory: subcategories.length > 0 && dice.chance(0.5) ? dice.pick(subcategories) : null,
    collections: dice.some(['l1', 'l2']),
    price: dice.chance(0.97) ? amount(dice) : null,
    salePrice: dice.chance(0.3) ? amount(dice, 0) : null,
    lists: dice.times(3, (turn) => listOf(dice, at * 10 + turn, currency)),
  });
};

const TYPES: readonly PromotionType[] = ['percentage', 'percentage', 'fixed_amount', 'buy_x_get_y', 'free_shipping'];
const STATUSES: readonly PromotionStatus[] = ['active', 'active', 'active', 'active', 'scheduled', 'paused', 'ended'];
const PERCENT = 10_000;

const promotionOf = (dice: Dice, at: number, currency: string): CountedPromotion => {
  const type = dice.pick(TYPES);
  const status = dice.pick(STATUSES);
  const pieces = type === 'buy_x_get_y';
  const terms = {
    percentage: () => dice.pick([1, 7.5, 10, 33.3333, 50, 100]) * PERCENT,
    fixed_amount: () => amount(dice),
    buy_x_get_y: () => null,
    free_shipping: () => null,
  };
  return {
    id: `promotion-${String(dice.between(0, 9_999)).padStart(4, '0')}-${at}`,
    name: `Promotion ${at}`,
    translations: null,
    code: dice.chance(0.5) ? `CODE${at}` : null,
    type,
    value: terms[type](),
    currency: dice.chance(0.9) ? currency : dice.pick(CURRENCIES),
    product_ids: dice.chance(0.25) ? dice.some(['p1', 'p2', 'p3', 'zz']) : [],
    category_ids: dice.chance(0.25) ? dice.some([...CATEGORIES, 'c1a']) : [],
    collection_ids: dice.chance(0.15) ? dice.some(['l1', 'l2']) : [],
    buy_quantity: pieces ? dice.between(1, 4) : null,
    get_quantity: pieces ? dice.between(1, 3) : null,
    get_discount: pieces ? dice.pick([100, 50, 12.5]) * PERCENT : null,
    minimum_subtotal: dice.chance(0.3) ? amount(dice, 0) : null,
    usage_limit: dice.chance(0.2) ? dice.between(1, 3) : null,
    usage_limit_per_customer: dice.chance(0.2) ? dice.between(1, 2) : null,
    times_used: 0,
    stackable: dice.chance(0.6),
    public: true,
    status,
    starts_at: status === 'scheduled' ? new Date(NOW + dice.between(-1, 1)) : null,
    ends_at: dice.chance(0.3) ? new Date(NOW + dice.pick([0, 1, 1_000])) : null,
    created_at: MADE,
    updated_at: MADE,
  };
};

const taxRateOf = (dice: Dice, at: number): TaxRateRecord => ({
  id: `rate-${String(dice.between(0, 9_999)).padStart(4, '0')}-${at}`,
  name: dice.pick(['VAT', 'City', 'Levy']),
  country: dice.pick(['KE', 'KE', 'KE', 'US']),
  state: dice.pick([null, null, null, 'Nairobi', 'Rift Valley']),
  postal_prefix: dice.pick([null, null, null, null, '001', '00-1', '9']),
  rate: dice.pick([0, 10_000, 75_000, 160_000, 88_750, 333_333, 1_000_000]),
  category_id: dice.pick([null, null, null, 'c1', 'c2', 'c1a']),
  applies_to_shipping: dice.chance(0.5),
  priority: dice.between(0, 2),
  compound: dice.chance(0.3),
  created_at: MADE,
  updated_at: MADE,
});

const PLACES: readonly TaxAddress[] = [
  { country: 'KE', state: null, postalCode: null },
  { country: 'ke', state: 'nairobi', postalCode: '00100' },
  { country: 'KE', state: 'RIFT-VALLEY', postalCode: '9 00' },
  { country: 'KE', state: 'Elsewhere', postalCode: '00 2' },
  { country: 'GB', state: null, postalCode: 'SW1' },
];

/** Whether each variant has a single line, as in a cart. */
export const isCart = ({ items }: Case): boolean => new Set(items.map(({ variant }) => variant)).size === items.length;

export const randomBasket = (seed: number, at: number): Case => {
  // Mixes two small numbers into one seed.
  const dice = new Dice(Math.imul(seed, 0x2545f491) ^ Math.imul(at + 1, 0x5bd1e995));
  const storeCurrency = dice.pick(CURRENCIES);
  const currency = dice.chance(0.92) ? storeCurrency : dice.pick(CURRENCIES);
  const variants = Array.from({ length: dice.between(1, 7) }, (_, variant) => variantOf(dice, variant, currency));
  // Sometimes a variant has two lines.
  const lines = dice.chance(0.15) ? [...variants, dice.pick(variants)] : variants;
  const promotions = dice.times(6, (turn) => promotionOf(dice, turn, currency));
  const used = promotions.map(({ id }) => [id, { total: dice.between(0, 3), byCustomer: dice.between(0, 2) }] as const);
  return {
    currency,
    storeCurrency,
    inclusive: dice.chance(0.5),
    group: dice.pick([null, 'trade']),
    now: NOW,
    items: lines.map((variant) => ({ variant, quantity: dice.pick([1, 1, 2, 3, 7, 12, 40]) })),
    promotions,
    taxRates: dice.times(10, (turn) => taxRateOf(dice, turn)),
    codes: dice.some(['code0', 'CODE1', ' Code2 ', 'CODE3', 'code4', 'CODE5', 'NONE'], 0.7),
    uses: new Map(used.filter(() => dice.chance(0.7))),
    fee: dice.chance(0.3) ? null : amount(dice, 0),
    place: dice.chance(0.1) ? null : dice.pick(PLACES),
  };
};
