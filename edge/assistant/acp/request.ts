// What ACP's requests ask of the core.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { Fields } from './field.ts';

/** A full name: the last word is the family's. */
const namesOf = (name: string): { readonly first_name: string; readonly last_name: string | null } => {
  const words = name.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop()! : null;
  return { first_name: words.join(' '), last_name: last };
};

export const addressOf = (address: Fields, phone?: string | null): AddressInput => {
  for (const name of ['line_one', 'city', 'country']) address.needs(name);
  return {
    ...namesOf(address.text('name') ?? ''),
    company: address.text('company') || null,
    line1: address.text('line_one') ?? '',
    line2: address.text('line_two') || null,
    city: address.text('city') ?? '',
    state: address.text('state') || null,
    postal_code: address.text('postal_code') || null,
    country: address.text('country') ?? '',
    ...(phone ? { phone } : {}),
  };
};

const itemsOf = (body: Fields) =>
  body.parts('line_items')?.map((item) => {
    item.needs('id');
    return { variant_id: item.text('id') ?? '', quantity: item.number('quantity') ?? 1 };
  });

/** Only what a request names; null clears. */
const given = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

export const buyerOf = (body: Fields) => {
  const buyer = body.part('buyer');
  if (!buyer) return given({ buyer, email: buyer });
  const [first, last, full] = [buyer.text('first_name'), buyer.text('last_name'), buyer.text('full_name')];
  const names = full && !first && !last ? namesOf(full) : { first_name: first ?? null, last_name: last ?? null };
  return given({ email: buyer.text('email'), buyer: { ...names, phone: buyer.text('phone_number') ?? null } });
};

const deliveryOf = (body: Fields) => {
  const details = body.part('fulfillment_details');
  if (!details) return given({ shipping_address: details });
  const address = details.part('address');
  const email = details.text('email');
  const phone = details.text('phone_number');
  return given({ shipping_address: address && addressOf(address, phone), email });
};

/** What creating and updating have in common. */
export const wishesOf = (body: Fields) => {
  const chosen = body.parts('selected_fulfillment_options');
  const codes = body.part('discounts')?.texts('codes') ?? body.texts('coupons');
  chosen?.[0]?.needs('option_id');
  return {
    ...deliveryOf(body),
    ...buyerOf(body),
    ...given({
      items: itemsOf(body) ?? undefined,
      shipping_option_id: chosen && (chosen[0]?.text('option_id') ?? null),
      promotion_codes: codes === null ? [] : codes && [...codes],
      note: body.text('order_notes'),
    }),
  };
};

export const paymentOf = (body: Fields) => {
  body.needs('payment_data');
  const payment = body.part('payment_data');
  const credential = payment?.part('instrument')?.part('credential');
  const billing = payment?.part('billing_address');
  return {
    token: credential?.text('token') ?? null,
    billing_address: billing ? addressOf(billing) : null,
    ...given({ note: body.text('order_notes') }),
  };
};
