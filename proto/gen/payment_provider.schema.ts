// Generated from stoa/v1/payment_provider.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const PaymentProvider: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  provider: Type.String(),
  name: Type.String(),
  custom_provider: Type.Boolean(),
  initialize_url: Type.Union([Type.String(), Type.Null()]),
  verify_url: Type.Union([Type.String(), Type.Null()]),
  callback_path: Type.String(),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  created_at: Text({ format: "date-time" }),
});

export const ListPaymentProvidersRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListPaymentProvidersResponse: TSchema = Type.Object({
  providers: Type.Array(PaymentProvider),
  pagination: Pagination,
});

export const ConnectPaymentProviderRequest: TSchema = Type.Object({
  provider: Text({ pattern: "^[a-z][a-z0-9_]{1,49}$" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  custom_provider: Type.Optional(Type.Boolean()),
  credentials: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 1000 }), { additionalProperties: false, maxProperties: 10 })),
  initialize_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  verify_url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  signing_secret: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
});

export const PaymentProviderResponse: TSchema = Type.Object({
  provider: PaymentProvider,
});

export const DisconnectPaymentProviderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const PaymentElement: TSchema = Type.Object({
  provider: Type.Union([Type.Literal("stripe"), Type.Literal("simulator")]),
  client_secret: Type.String(),
  publishable_key: Type.Union([Type.String(), Type.Null()]),
  script_url: Type.Union([Type.String(), Type.Null()]),
});

export const ReceiveCallbackRequest: TSchema = Type.Object({
  provider: Text({ pattern: "^[a-z][a-z0-9_]{1,49}$" }),
  store_id: Text({ format: "uuid" }),
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
  reference: Type.Optional(Text({ maxLength: 100 })),
  token: Type.Optional(Text({ maxLength: 100 })),
  stripe_signature: Type.Optional(Type.String()),
  paystack_signature: Type.Optional(Type.String()),
  paypal_transmission_id: Type.Optional(Type.String()),
  paypal_transmission_time: Type.Optional(Type.String()),
  paypal_transmission_sig: Type.Optional(Type.String()),
  paypal_cert_url: Type.Optional(Type.String()),
  paypal_auth_algo: Type.Optional(Type.String()),
  svc_signature: Type.Optional(Type.String()),
});

export const ReceiveCallbackResponse: TSchema = Type.Object({
  received: Type.Boolean(),
});
