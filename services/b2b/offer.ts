// What a quote offers, worked out before it is sent: variants as they are called, prices that were agreed, the taxes of
// the place that the goods go to.
import { randomUUIDv7 } from 'bun';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CreateWholesaleQuoteRequest, QuotedItemRequest } from '#proto/gen/wholesale_quote.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, minorMax, toMajor, toMinor } from '#values/money.ts';
import { type AgreedLine, type Totals, totalsOf } from './agreement.ts';
import { onePriceEach } from './item.ts';
import type { WholesaleNeighbours } from './neighbour.ts';

export interface QuoteOffer extends Totals {
  readonly currency: string;
  readonly tax_inclusive: boolean;
  readonly items: readonly AgreedLine[];
}

interface Priced {
  readonly variant_id: string;
  readonly quantity: number;
  /** In minor units. */
  readonly unit_price: number;
}

const readPrices = (items: readonly QuotedItemRequest[], currency: Currency): readonly Priced[] | Refusal => {
  const most = minorMax(currency);
  const priced: Priced[] = [];
  for (const [at, { variant_id, quantity, unit_price }] of items.entries()) {
    const price = toMinor(unit_price, currency);
    if (price === null)
      return refuse('invalid_request', `\`unit_price\` must have at most ${currency.exponent} decimals.`, {
        param: `items[${at}].unit_price`,
      });
    priced.push({ variant_id: variant_id.toLowerCase(), quantity, unit_price: price });
  }
  const merged = onePriceEach(priced, 'unit_price');
  if (merged instanceof Refusal) return merged;
  const dear = merged.find(({ quantity, unit_price }) => quantity * unit_price > most);
  return dear ? tooMuch(`items[${items.findIndex(({ variant_id }) => same(variant_id, dear))}].unit_price`) : merged;
};

const same = (named: string, { variant_id }: Priced): boolean => named.toLowerCase() === variant_id;

const tooMuch = (param: string): Refusal =>
  refuse('invalid_request', 'A line, and the total, is at most 99,999,999.99.', { param });

/** An address that says more than the country does so alone. */
const taxAddress = (address: AddressInput | null, country: string | null) => {
  if (address?.country)
    return { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null };
  return country === null ? null : { country, state: null, postal_code: null };
};

export const makeOffer = async (
  neighbours: WholesaleNeighbours,
  call: Call,
  { items, shipping_address }: CreateWholesaleQuoteRequest,
): Promise<QuoteOffer | Refusal> => {
  const shop = await neighbours.shop(call);
  const currency = currencyOf(shop.currency);
  const priced = readPrices(items, currency);
  if (priced instanceof Refusal) return priced;
  const variants = await neighbours.variants(
    call,
    priced.map(({ variant_id }) => variant_id),
  );
  const unknown = items.findIndex(({ variant_id }) => !variants.get(variant_id.toLowerCase())?.is_active);
  if (unknown >= 0) return notFound('variant', `items[${unknown}].variant_id`);
  const taxed = await neighbours.taxes(call, {
    lines: priced.map(({ variant_id, quantity, unit_price }) => ({
      variant_id,
      total: toMajor(quantity * unit_price, currency),
    })),
    address: taxAddress(shipping_address ?? null, shop.country),
  });
  const lines = priced.map((item, at): AgreedLine => {
    const { name, variant_name, sku } = variants.get(item.variant_id)!;
    return {
      id: randomUUIDv7(),
      variant_id: item.variant_id,
      name,
      variant_name,
      sku,
      quantity: item.quantity,
      unit_price: item.unit_price,
      total: item.quantity * item.unit_price,
      taxes: taxed.lines[at]!.rates.map(({ name: tax, rate, amount }) => ({
        name: tax,
        rate,
        amount: fromMajor(amount, currency),
      })),
    };
  });
  const totals = totalsOf(lines, taxed.tax_inclusive);
  if (totals.total > minorMax(currency)) return tooMuch('items');
  return { currency: currency.code, tax_inclusive: taxed.tax_inclusive, items: lines, ...totals };
};
