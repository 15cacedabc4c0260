// Prices a quote before the store sends it: adds names, agreed prices and the taxes at its destination.
import { randomUUIDv7 } from 'bun';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CreateWholesaleQuoteRequest, QuotedItemRequest } from '#proto/gen/wholesale_quote.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, minorMax, toMajor, toMinor } from '#values/money.ts';
import { type AgreedLine, type Totals, totalsOf } from './agreement.ts';
import type { WholesaleClients } from './client.ts';
import { mergeByVariant } from './item.ts';

export interface QuoteOffer extends Totals {
  readonly currency: string;
  readonly tax_inclusive: boolean;
  readonly items: readonly AgreedLine[];
}

interface ParsedItem {
  readonly variant_id: string;
  readonly quantity: number;
  readonly unit_price: number;
}

const parseItems = (items: readonly QuotedItemRequest[], currency: Currency): readonly ParsedItem[] | Refusal => {
  const most = minorMax(currency);
  const priced: ParsedItem[] = [];
  for (const [at, { variant_id, quantity, unit_price }] of items.entries()) {
    const price = toMinor(unit_price, currency);
    if (price === null) return badAmount(`items[${at}].unit_price`, unit_price, currency);
    priced.push({ variant_id: variant_id.toLowerCase(), quantity, unit_price: price });
  }
  const merged = mergeByVariant(priced, 'unit_price');
  if (merged instanceof Refusal) return merged;
  const dear = merged.find(({ quantity, unit_price }) => quantity * unit_price > most);
  return dear
    ? amountTooLarge(`items[${items.findIndex(({ variant_id }) => isVariant(variant_id, dear))}].unit_price`)
    : merged;
};

const isVariant = (named: string, { variant_id }: ParsedItem): boolean => named.toLowerCase() === variant_id;

const amountTooLarge = (param: string): Refusal =>
  refuse('invalid_request', 'Each line and the total must be at most 99,999,999.99.', { param });

const taxAddress = (address: AddressInput | null, country: string | null) => {
  if (address?.country)
    return { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null };
  return country === null ? null : { country, state: null, postal_code: null };
};

export const priceQuote = async (
  clients: WholesaleClients,
  call: Call,
  { items, shipping_address }: CreateWholesaleQuoteRequest,
): Promise<QuoteOffer | Refusal> => {
  const profile = await clients.profile(call);
  const currency = currencyOf(profile.currency);
  const priced = parseItems(items, currency);
  if (priced instanceof Refusal) return priced;
  const variants = await clients.variants(
    call,
    priced.map(({ variant_id }) => variant_id),
  );
  const unknown = items.findIndex(({ variant_id }) => !variants.get(variant_id.toLowerCase())?.is_active);
  if (unknown >= 0) return notFound('variant', `items[${unknown}].variant_id`);
  const taxes = await clients.taxes(call, {
    lines: priced.map(({ variant_id, quantity, unit_price }) => ({
      variant_id,
      total: toMajor(quantity * unit_price, currency),
    })),
    address: taxAddress(shipping_address ?? null, profile.country),
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
      taxes: taxes.lines[at]!.rates.map(({ name: tax, rate, amount }) => ({
        name: tax,
        rate,
        amount: fromMajor(amount, currency),
      })),
    };
  });
  const totals = totalsOf(lines, taxes.tax_inclusive);
  if (totals.total > minorMax(currency)) return amountTooLarge('items');
  return { currency: currency.code, tax_inclusive: taxes.tax_inclusive, items: lines, ...totals };
};
