// Validates the body of a delegated payment request. Unknown fields are refused.
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const text = (maxLength?: number) => Type.String(maxLength === undefined ? {} : { maxLength });
const oneOf = <T extends string>(...values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));
const closed = <T extends TProperties>(fields: T) => Type.Object(fields, { additionalProperties: false });
const Metadata = Type.Record(Type.String(), Type.String());

const Card = closed({
  type: Type.Literal('card'),
  card_number_type: oneOf('fpan', 'network_token'),
  number: text(),
  exp_month: optional(text(2)),
  exp_year: optional(text(4)),
  name: optional(text()),
  cvc: optional(text(4)),
  cryptogram: optional(text()),
  eci_value: optional(text(2)),
  checks_performed: optional(Type.Array(oneOf('avs', 'cvv', 'ani', 'auth0'))),
  iin: optional(text(8)),
  display_card_funding_type: oneOf('credit', 'debit', 'prepaid'),
  display_wallet_type: optional(text()),
  display_brand: optional(text()),
  display_last4: optional(Type.String({ pattern: '^[0-9]{4}$' })),
  metadata: Metadata,
  virtual: optional(Type.Boolean()),
});

const DelegationRequest = closed({
  payment_method: Card,
  allowance: closed({
    reason: Type.Literal('one_time'),
    max_amount: Type.Integer(),
    currency: Type.String({ pattern: '^[a-z]{3}$' }),
    checkout_session_id: text(),
    merchant_id: text(256),
    expires_at: text(),
  }),
  billing_address: optional(
    closed({
      name: text(256),
      line_one: text(60),
      line_two: optional(text(60)),
      city: text(60),
      state: text(),
      country: Type.String({ minLength: 2, maxLength: 2 }),
      postal_code: text(20),
    }),
  ),
  risk_signals: Type.Array(
    closed({
      type: Type.Literal('card_testing'),
      score: Type.Integer(),
      action: oneOf('blocked', 'manual_review', 'authorized'),
    }),
  ),
  metadata: Metadata,
});
export type DelegationRequest = Static<typeof DelegationRequest>;
export type Card = DelegationRequest['payment_method'];

const compiled = TypeCompiler.Compile(DelegationRequest);

const jsonPathOf = (pointer: string): string =>
  `$${pointer.replace(/\/(\d+)(?=\/|$)/g, '[$1]').replace(/\/([^/]+)/g, '.$1')}`;

export const readDelegation = (body: unknown): DelegationRequest | Refusal => {
  if (compiled.Check(body)) return body;
  const param = jsonPathOf(compiled.Errors(body).First()?.path ?? '');
  return refuse('invalid_request', `${param} is missing, unknown, of the wrong type, or none of its values.`, {
    param,
  });
};
