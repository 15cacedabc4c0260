// Renders a cart for the API and for events: the stored lines at current prices and stock.
import type { CartGiftCard, CartItem, CartWarning, ShoppingCart } from '#proto/gen/cart.ts';
import type { BasketLine } from '#proto/gen/pricing_directory.ts';
import type { Context } from '#runtime/actor/kind.ts';
import type { Event } from '#runtime/event/event.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, majorText, sum, toMajor } from '#values/money.ts';
import type { CartAppraisal } from './appraisal.ts';
import { type CartFact, type CartState, cartId, ownerOf, type Reduction } from './cart.ts';
import { type CartLine, type CartVariant, replaceLines, unitCount } from './line.ts';

/** Amounts are in minor units. */
interface Shown {
  readonly line: CartLine;
  readonly unitPrice: number;
  readonly discount: number;
  readonly inStock: boolean;
  readonly variant: CartVariant | null;
}

const asWritten = (line: CartLine, inStock: boolean, unitPrice = line.unit_price): Shown => ({
  line,
  unitPrice,
  discount: 0,
  inStock,
  variant: null,
});

const isIn = ({ lines, currency }: CartState, { code }: Currency): boolean =>
  lines.length === 0 || currency === '' || currency === code;

const showAll = (state: CartState, appraisal: CartAppraisal | null, currency: Currency): Shown[] => {
  const { lines } = state;
  if (appraisal === null) return lines.map((line) => asWritten(line, true));
  const priced = new Map<string, BasketLine>();
  for (const each of appraisal.basket?.lines ?? []) priced.set(each.variant_id, each);
  return lines.map((line) => {
    const found = priced.get(line.variant_id);
    const variant = appraisal.variants.get(line.variant_id);
    // Lines of hidden or unpriced variants show their stored price, if it is in this currency.
    if (!found || !variant) return asWritten(line, false, isIn(state, currency) ? line.unit_price : 0);
    return {
      line,
      unitPrice: fromMajor(found.unit_price, currency),
      discount: fromMajor(found.discount, currency),
      inStock: variant.stock >= line.quantity,
      variant,
    };
  });
};

const itemOf = ({ line, unitPrice, discount, inStock, variant }: Shown, currency: Currency): CartItem => {
  const { quantity } = line;
  const subtotal = unitPrice * quantity;
  const { name, variant_name, sku, thumbnail_url } = variant ?? line;
  return {
    id: line.id,
    product_id: line.product_id,
    variant_id: line.variant_id,
    name,
    variant_name,
    sku,
    thumbnail_url,
    quantity,
    unit_price: toMajor(unitPrice, currency),
    subtotal: toMajor(subtotal, currency),
    discount: toMajor(discount, currency),
    total: toMajor(subtotal - discount, currency),
    in_stock: inStock,
  };
};

const warningsOf = (
  { line, unitPrice, inStock, variant }: Shown,
  currency: Currency,
  reductions: readonly Reduction[],
  isComparable: boolean,
): CartWarning[] => {
  const warnings: CartWarning[] = [];
  const warn = (code: CartWarning['code'], message: string) => warnings.push({ code, item_id: line.id, message });
  const { name } = variant ?? line;
  if (isComparable && unitPrice !== line.unit_price) {
    const [from, to] = [line.unit_price, unitPrice].map((amount) => majorText(amount, currency));
    warn('price_changed', `The price of ${name} changed from ${from} to ${to} ${currency.code}.`);
  }
  const left = variant?.stock ?? 0;
  if (!inStock && left > 0) warn('insufficient_stock', `Only ${left} of ${name} can be bought now.`);
  else if (!inStock) warn('out_of_stock', `${name} cannot be bought now.`);
  else if (reductions.some(({ item_id }) => item_id === line.id)) {
    warn('quantity_reduced', `Only ${line.quantity} of ${name} can be bought now.`);
  }
  return warnings;
};

const currencyWarnings = (
  state: CartState,
  currency: Currency,
  { obstacle, isRequested = false }: CartAppraisal,
): CartWarning[] => {
  const warn = (code: CartWarning['code'], message: string): CartWarning => ({ code, item_id: null, message });
  if (obstacle) return [warn('currency_not_available', obstacle.message)];
  if (isRequested || isIn(state, currency)) return [];
  return [warn('price_changed', `The cart was in ${state.currency}. Its prices are now in ${currency.code}.`)];
};

const expiryWarnings = ({ basket, cards }: CartAppraisal): CartWarning[] => {
  const warn = (message: string): CartWarning => ({ code: 'code_expired', item_id: null, message });
  return [
    ...(basket?.expired_codes ?? []).map((code) => warn(`The promotion of the code ${code} is over.`)),
    ...cards.flatMap(({ code_last4, reason }) =>
      reason === null ? [] : [warn(`The gift card ending in ${code_last4} cannot be used any longer.`)],
    ),
  ];
};

const cardsOf = (cards: CartAppraisal['cards'], due: number): { last4: string; amount: number }[] => {
  let left = due;
  return cards.flatMap(({ code_last4, reason, balance_minor }) => {
    if (reason !== null) return [];
    const amount = Math.min(left, balance_minor);
    left -= amount;
    return [{ last4: code_last4, amount }];
  });
};

const timeText = (state: CartState, ms: number): string | null => (state.id === '' ? null : new Date(ms).toISOString());

/** Renders the document; without an `appraisal` at the stored prices. */
export const cartDocument = (
  state: CartState,
  place: Pick<Context, 'tenant' | 'id'>,
  currencyCode: string,
  appraisal: CartAppraisal | null,
  reductions: readonly Reduction[] = [],
): ShoppingCart => {
  const basket = appraisal?.basket ?? null;
  const currency = currencyOf(basket?.currency ?? currencyCode);
  const shown = showAll(state, appraisal, currency);
  const subtotal = sum(shown.map(({ unitPrice, line }) => unitPrice * line.quantity));
  const discount = sum(shown.map((line) => line.discount));
  const total = subtotal - discount;
  const cards = cardsOf(appraisal?.cards ?? [], total);
  const paid = sum(cards.map(({ amount }) => amount));
  return {
    id: state.id || cartId(place, 0),
    ...ownerOf(place.id),
    currency: currency.code,
    status: state.status,
    items: shown.map((line) => itemOf(line, currency)),
    item_count: unitCount(state.lines),
    subtotal: toMajor(subtotal, currency),
    discount_total: toMajor(discount, currency),
    gift_card_total: toMajor(paid, currency),
    total: toMajor(total, currency),
    amount_due: toMajor(total - paid, currency),
    promotion_codes: state.codes,
    applied_promotions: basket?.applied_promotions ?? [],
    rejected_codes: (basket?.rejected_codes ?? []).map(({ code, reason }) => ({ code, reason })),
    gift_cards: cards.map(
      ({ last4, amount }): CartGiftCard => ({ code_last4: last4, amount: toMajor(amount, currency) }),
    ),
    warnings: [
      ...(appraisal ? currencyWarnings(state, currency, appraisal) : []),
      ...shown.flatMap((line) => warningsOf(line, currency, reductions, isIn(state, currency))),
      ...(appraisal ? expiryWarnings(appraisal) : []),
    ],
    version: state.version,
    created_at: timeText(state, state.createdAt),
    updated_at: timeText(state, state.updatedAt),
  };
};

const EVENT_FIELDS = ['status', 'currency', 'items', 'item_count', 'subtotal', 'total', 'amount_due'] as const;

const difference = (before: ShoppingCart, after: ShoppingCart): Record<string, unknown> =>
  Object.fromEntries(
    EVENT_FIELDS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).map((name) => [
      name,
      before[name],
    ]),
  );

export const cartEvents = (state: CartState, fact: CartFact, context: Context): readonly Event[] => {
  if (fact.type === 'Opened' || fact.type === 'Forgotten') return [];
  const documentOf = (cart: CartState): ShoppingCart => cartDocument(cart, context, cart.currency, null);
  const object = documentOf(state);
  if (fact.type === 'Abandoned') return [{ type: 'cart.abandoned', object }];
  if (fact.type === 'Changed') {
    if (state.version === 1) return [{ type: 'cart.created', object }];
    const { put, previous, formerCurrency: currency = state.currency } = fact;
    if (put.length === 0 && previous.length === 0) return [];
    const added = put.filter(({ id }) => !previous.some((line) => line.id === id)).map(({ id }) => id);
    const before = { ...state, currency, lines: replaceLines(state.lines, previous, added) };
    return [{ type: 'cart.updated', object, previousAttributes: difference(documentOf(before), object) }];
  }
  const before: CartState = { ...state, status: 'active', lines: fact.previous };
  return [{ type: 'cart.updated', object, previousAttributes: difference(documentOf(before), object) }];
};
