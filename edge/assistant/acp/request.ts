// Converts ACP requests to inputs of the core.
import { jsonPath } from '#edge/assistant/json_path.ts';
import { HANDLER_ID, INSTRUMENT } from '#edge/assistant/ucp/document/envelope.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { type Naming, pathOf } from './fault.ts';
import type { Fields } from './field.ts';

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

/** Removes undefined fields. Null fields stay, because null clears a field. */
const withoutUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

const fullNameOf = (buyer: Fields): string | null =>
  buyer.text('first_name') || buyer.text('last_name') ? null : buyer.text('full_name') || null;

export const buyerOf = (body: Fields) => {
  const buyer = body.part('buyer');
  if (!buyer) return withoutUndefined({ buyer, email: buyer });
  const full = fullNameOf(buyer);
  const names =
    full === null
      ? { first_name: buyer.text('first_name') ?? null, last_name: buyer.text('last_name') ?? null }
      : namesOf(full);
  return withoutUndefined({
    email: buyer.text('email'),
    buyer: { ...names, phone: buyer.text('phone_number') ?? null },
  });
};

const deliveryOf = (body: Fields) => {
  const details = body.part('fulfillment_details');
  if (!details) return withoutUndefined({ shipping_address: details });
  const address = details.part('address');
  const email = details.text('email');
  const phone = details.text('phone_number');
  return withoutUndefined({ shipping_address: address && addressOf(address, phone), email });
};

const codesIn = (body: Fields) => {
  const discounts = body.part('discounts');
  const codes = discounts === null ? null : discounts?.texts('codes');
  const coupons = codes === undefined ? body.texts('coupons') : undefined;
  return coupons === undefined ? { name: 'discounts.codes', codes } : { name: 'coupons', codes: coupons };
};

/** Returns the selected delivery option. A checkout has only one, so all selections must name the same. */
const optionIn = (body: Fields) => {
  const chosen = body.parts('selected_fulfillment_options');
  const first = chosen?.[0]?.text('option_id') ?? null;
  for (const option of chosen ?? []) {
    option.needs('option_id');
    if (first !== null) option.choice('option_id', [first]);
  }
  return chosen && first;
};

const chosenOptions = (body: Fields) => body.parts('selected_fulfillment_options') ?? [];

export const namesItems = (body: Fields): boolean =>
  chosenOptions(body).some((option) => (option.texts('item_ids') ?? []).length > 0);

export const unknownItem = (body: Fields, lines: readonly { id: string; variant_id: string }[]): Refusal | null => {
  const known = new Set([
    ...lines.flatMap(({ id, variant_id }) => [id, variant_id]),
    ...(body.parts('line_items') ?? []).map((item) => item.text('id')),
  ]);
  for (const [at, option] of chosenOptions(body).entries()) {
    const unknown = option.texts('item_ids')?.findIndex((id) => !known.has(id)) ?? -1;
    if (unknown >= 0)
      return refuse('not_found', 'The session has no such item.', {
        param: `$.selected_fulfillment_options[${at}].item_ids[${unknown}]`,
      });
  }
  return body.wrong;
};

export const changeOf = (body: Fields) => {
  const { codes } = codesIn(body);
  return {
    ...deliveryOf(body),
    ...buyerOf(body),
    ...withoutUndefined({
      items: itemsOf(body) ?? undefined,
      shipping_option_id: optionIn(body),
      promotion_codes: codes === null ? [] : codes && [...codes],
      note: body.text('order_notes'),
    }),
  };
};

/**
 * Returns a function from fields of the core to ACP fields. If several ACP fields mean the same, it returns the one
 * that the request used.
 */
export const namingOf = (body: Fields): Naming => {
  const buyer = body.part('buyer');
  const delivered = buyer?.text('email') === undefined && body.part('fulfillment_details')?.text('email');
  const email = delivered ? 'fulfillment_details.email' : 'buyer.email';
  const names = buyer && fullNameOf(buyer) !== null ? 'buyer.full_name' : null;
  const { name: codes } = codesIn(body);
  return (param) => {
    if (param === 'email') return jsonPath(email);
    if (names !== null && /^buyer\.(?:first|last)_name$/.test(param)) return jsonPath(names);
    return param.startsWith('promotion_codes') ? jsonPath(param.replace('promotion_codes', codes)) : pathOf(param);
  };
};

export const paymentOf = (body: Fields) => {
  body.needs('payment_data');
  const payment = body.part('payment_data');
  const instrument = payment?.part('instrument');
  if (payment && instrument) {
    payment.needs('handler_id');
    instrument.needs('type');
  }
  payment?.choice('handler_id', [HANDLER_ID]);
  instrument?.choice('type', [INSTRUMENT]);
  const credential = instrument?.part('credential');
  const billing = payment?.part('billing_address');
  return {
    ...buyerOf(body),
    token: credential?.text('token') ?? null,
    billing_address: billing ? addressOf(billing) : null,
    ...withoutUndefined({ note: body.text('order_notes') }),
  };
};
