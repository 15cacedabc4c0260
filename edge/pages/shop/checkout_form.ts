// Renders and reads the fields of a checkout's form, with errors. Pure.
import { needsState } from '#edge/pages/storefront/postal_address.ts';
import type { AgentBuyer, CheckoutIntent } from '#proto/gen/agent.ts';
import type { RpcRequest } from '#proto/gen/rpcs.ts';
import type { Address } from '#proto/gen/shared.ts';
import type { Refusal } from '#runtime/call/call.ts';

const BUYER_FIELDS = ['first_name', 'last_name', 'phone'] as const;
const ADDRESS_FIELDS = [
  'first_name',
  'last_name',
  'company',
  'line1',
  'line2',
  'city',
  'state',
  'postal_code',
  'country',
] as const;

const ADDRESSES = ['shipping_address', 'billing_address'] as const;
export type AddressKind = (typeof ADDRESSES)[number];

export const FIELDS = [
  'email',
  ...BUYER_FIELDS.map((name) => `buyer.${name}` as const),
  ...ADDRESS_FIELDS.map((name) => `shipping_address.${name}` as const),
  ...ADDRESS_FIELDS.map((name) => `billing_address.${name}` as const),
  'shipping_option_id',
  'promotion_codes',
  'note',
] as const;

export type Field = (typeof FIELDS)[number];

export type Fields = Readonly<Record<Field, string>>;

export type Change = Omit<RpcRequest<'AgentSession/ChangeCheckout'>, 'id'>;

const fieldsFrom = (text: (field: Field) => string): Fields =>
  Object.fromEntries(FIELDS.map((field) => [field, text(field)])) as Record<Field, string>;

export const fieldsOf = ({ email, buyer, ...intent }: CheckoutIntent): Fields => {
  const plain: Partial<Record<Field, string>> = {
    email: email ?? '',
    shipping_option_id: intent.shipping_option_id ?? '',
    promotion_codes: intent.promotion_codes.join(' '),
    note: intent.note ?? '',
  };
  for (const name of BUYER_FIELDS) plain[`buyer.${name}`] = buyer?.[name] ?? '';
  for (const kind of ADDRESSES)
    for (const name of ADDRESS_FIELDS) plain[`${kind}.${name}`] = intent[kind]?.[name] ?? '';
  return fieldsFrom((field) => plain[field] ?? '');
};

const withoutControlCharacters = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
    .trim();

/** Returns the submitted fields; a field that the form lacks keeps its stored value. */
export const sentFields = (form: URLSearchParams, before: Fields): Fields =>
  fieldsFrom((field) => {
    const sent = form.get(field);
    return sent === null ? before[field] : withoutControlCharacters(sent);
  });

const orNull = (text: string): string | null => (text === '' ? null : text);

const buyerOf = (fields: Fields): AgentBuyer | null => {
  const [first_name = null, last_name = null, phone = null] = BUYER_FIELDS.map((name) =>
    orNull(fields[`buyer.${name}`]),
  );
  return first_name || last_name || phone ? { first_name, last_name, phone } : null;
};

/**
 * Returns the submitted address; null if it is empty. The country alone does not count, because the form preselects it.
 */
const addressOf = (fields: Fields, kind: AddressKind, known: Address | null): Change[AddressKind] => {
  const given = ADDRESS_FIELDS.map((name) => [name, orNull(fields[`${kind}.${name}`])] as const);
  if (given.every(([name, text]) => text === null || name === 'country')) return null;
  const place = Object.fromEntries(given) as Record<(typeof ADDRESS_FIELDS)[number], string | null>;
  return {
    ...place,
    line1: place.line1 ?? '',
    city: place.city ?? '',
    country: place.country ?? '',
    phone: known?.phone ?? null,
  };
};

export const changeOf = (intent: CheckoutIntent, before: Fields, sent: Fields): Change | null => {
  const differs = (start: string): boolean =>
    FIELDS.some((field) => field.startsWith(start) && sent[field] !== before[field]);
  const change: Change = {
    ...(differs('email') && { email: orNull(sent.email) }),
    ...(differs('buyer.') && { buyer: buyerOf(sent) }),
    ...(differs('shipping_address.') && {
      shipping_address: addressOf(sent, 'shipping_address', intent.shipping_address),
    }),
    ...(differs('billing_address.') && { billing_address: addressOf(sent, 'billing_address', intent.billing_address) }),
    ...(differs('shipping_option_id') && { shipping_option_id: orNull(sent.shipping_option_id) }),
    ...(differs('promotion_codes') && { promotion_codes: sent.promotion_codes.split(/[\s,;]+/).filter(Boolean) }),
    ...(differs('note') && { note: orNull(sent.note) }),
  };
  return Object.keys(change).length === 0 ? null : change;
};

export interface FormError {
  readonly field: Field | null;
  readonly text: string;
}

const NO_STATE = 'Enter the state or province, which parcels to this country need.';

const FIELD_TEXTS: Readonly<Partial<Record<Field, string>>> = {
  email: 'Enter an e-mail address such as ada@example.com.',
  'shipping_address.country': 'Choose a country.',
  'shipping_address.line1': 'Enter the street and number.',
  'shipping_address.city': 'Enter the town or city.',
  'shipping_address.state': NO_STATE,
  'billing_address.country': 'Choose a country.',
  'billing_address.state': NO_STATE,
  shipping_option_id: 'The store does not deliver to this address with this method. Choose another method.',
};

/** Returns the error of a changed address that lacks the state its country's carriers need. */
export const missingState = (change: Change): FormError | null => {
  const kind = ADDRESSES.find((each) => {
    const address = change[each];
    return address != null && needsState(address.country.toUpperCase()) && !address.state;
  });
  return kind === undefined ? null : { field: `${kind}.state`, text: NO_STATE };
};

const CODE_TEXTS: Readonly<Record<string, string>> = {
  amount_mismatch: 'The total has changed meanwhile. Check it, and pay again.',
  payment_declined: 'The card was declined. Nothing was paid: try another way to pay.',
  insufficient_stock: 'Some of the items were sold meanwhile. Ask your assistant to start again.',
  rate_limited: 'Too many attempts. Wait a minute and try again.',
  quota_exceeded: 'The store can take no more requests now. Please try again later.',
};

const BUYER_READABLE_CODES: readonly string[] = ['invalid_request', 'conflict', 'gift_card_not_applicable'];

const TRY_AGAIN = 'That did not work. Check the form below and try again.';

export const formErrorOf = ({ code, message, extra }: Refusal): FormError => {
  const param = extra.param ?? '';
  const field = FIELDS.find((each) => param === each || param.startsWith(`${each}[`)) ?? null;
  const undeliverable = code === 'shipping_not_deliverable' ? FIELD_TEXTS.shipping_option_id : undefined;
  const text = undeliverable ?? (field && FIELD_TEXTS[field]) ?? CODE_TEXTS[code];
  if (text) return { field: undeliverable ? 'shipping_option_id' : field, text };
  return { field, text: BUYER_READABLE_CODES.includes(code) ? message : TRY_AGAIN };
};
