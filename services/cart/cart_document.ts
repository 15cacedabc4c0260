// The cart as the API and its events show it: the kept lines at the prices and stock of the moment.
import type { CartItem, CartWarning, ShoppingCart } from '#proto/gen/cart.ts';
import type { Context } from '#runtime/actor/kind.ts';
import type { Event } from '#runtime/transaction.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { majorText, sum, toMajor } from '#values/money.ts';
import { type CartFact, type CartState, cartId, ownerOf, type Reduction } from './cart.ts';
import { buyable, type Line, type Offer, replaced } from './line.ts';

/** What the catalogue says now of a cart's variants; null: it was not asked, and all is as it was written. */
export type Offers = ReadonlyMap<string, Offer> | null;

/** A line as it is shown, still in minor units. */
interface Shown {
  readonly line: Line;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly inStock: boolean;
  readonly offer: Offer | null;
}

const show = (line: Line, offers: Offers): Shown => {
  if (offers === null) return { line, quantity: line.quantity, unitPrice: line.unit_price, inStock: true, offer: null };
  const found = offers.get(line.variant_id);
  // What a shopper may no longer see is shown as it was when it was put in.
  const offer = found?.is_active ? found : null;
  const most = buyable(offer);
  return {
    line,
    quantity: most === 0 ? line.quantity : Math.min(line.quantity, most),
    unitPrice: offer?.unit_price ?? line.unit_price,
    inStock: most > 0,
    offer,
  };
};

const itemOf = ({ line, quantity, unitPrice, inStock, offer }: Shown, currency: Currency): CartItem => {
  const subtotal = toMajor(unitPrice * quantity, currency);
  const { name, variant_name, sku, thumbnail_url } = offer ?? line;
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
    subtotal,
    discount: 0,
    total: subtotal,
    in_stock: inStock,
  };
};

const warningsOf = (
  { line, quantity, unitPrice, inStock, offer }: Shown,
  currency: Currency,
  reductions: readonly Reduction[],
): CartWarning[] => {
  const warnings: CartWarning[] = [];
  const warn = (code: CartWarning['code'], message: string) => warnings.push({ code, item_id: line.id, message });
  const { name } = offer ?? line;
  if (unitPrice !== line.unit_price) {
    const [from, to] = [line.unit_price, unitPrice].map((amount) => majorText(amount, currency));
    warn('price_changed', `The price of ${name} changed from ${from} to ${to} ${currency.code}.`);
  }
  if (!inStock) warn('out_of_stock', `${name} cannot be bought now.`);
  else if (quantity < line.quantity || reductions.some(({ item_id }) => item_id === line.id)) {
    warn('quantity_reduced', `Only ${quantity} of ${name} can be bought now.`);
  }
  return warnings;
};

const timeText = (state: CartState, ms: number): string | null => (state.id === '' ? null : new Date(ms).toISOString());

/** `currency` is the store's now. */
export const cartDocument = (
  state: CartState,
  place: Pick<Context, 'tenant' | 'id'>,
  currencyCode: string,
  offers: Offers,
  reductions: readonly Reduction[] = [],
): ShoppingCart => {
  const currency = currencyOf(currencyCode);
  const shown = state.lines.map((line) => show(line, offers));
  const subtotal = toMajor(sum(shown.map(({ unitPrice, quantity }) => unitPrice * quantity)), currency);
  return {
    id: state.id || cartId(place, 0),
    ...ownerOf(place.id),
    currency: currency.code,
    status: state.status,
    items: shown.map((line) => itemOf(line, currency)),
    item_count: shown.reduce((count, { quantity }) => count + quantity, 0),
    subtotal,
    discount_total: 0,
    gift_card_total: 0,
    total: subtotal,
    amount_due: subtotal,
    promotion_codes: state.codes,
    applied_promotions: [],
    rejected_codes: state.codes.map((code) => ({ code, reason: 'There is no promotion with this code.' })),
    gift_cards: [],
    warnings: shown.flatMap((line) => warningsOf(line, currency, reductions)),
    version: state.version,
    created_at: timeText(state, state.createdAt),
    updated_at: timeText(state, state.updatedAt),
  };
};

const TOLD = ['status', 'items', 'item_count', 'subtotal', 'total', 'amount_due'] as const;

/** The told fields in which the cart was another before, as it was then. */
const difference = (before: ShoppingCart, after: ShoppingCart): Record<string, unknown> =>
  Object.fromEntries(
    TOLD.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).map((name) => [
      name,
      before[name],
    ]),
  );

/** Specification, "Event types": cart.created, cart.updated, cart.abandoned. */
export const announceCart = (state: CartState, fact: CartFact, context: Context): readonly Event[] => {
  if (fact.type === 'Begun' || fact.type === 'Forgotten') return [];
  const documentOf = (cart: CartState): ShoppingCart => cartDocument(cart, context, cart.currency, null);
  const object = documentOf(state);
  if (fact.type === 'Abandoned') return [{ type: 'cart.abandoned', object }];
  if (fact.type === 'Changed') {
    if (state.version === 1) return [{ type: 'cart.created', object }];
    const { put, was } = fact;
    if (put.length === 0 && was.length === 0) return [];
    const added = put.filter(({ id }) => !was.some((line) => line.id === id)).map(({ id }) => id);
    const before = { ...state, lines: replaced(state.lines, was, added) };
    return [{ type: 'cart.updated', object, previousAttributes: difference(documentOf(before), object) }];
  }
  const before: CartState = { ...state, status: 'active', lines: fact.was };
  return [{ type: 'cart.updated', object, previousAttributes: difference(documentOf(before), object) }];
};
