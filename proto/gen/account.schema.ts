// Generated from stoa/v1/account.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Customer } from './customer.schema.ts';
import { AddressInput, Pagination } from './shared.schema.ts';

export const ListCustomersRequest: TSchema = Type.Object({
  email: Type.Optional(Text({ maxLength: 254 })),
  group: Type.Optional(Text({ minLength: 1, maxLength: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
  search: Type.Optional(Text({ minLength: 1, maxLength: 254 })),
});

export const ListCustomersResponse: TSchema = Type.Object({
  customers: Type.Array(Customer),
  pagination: Pagination,
});

export const CreateCustomerRequest: TSchema = Type.Object({
  email: Text({ format: "email" }),
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()])),
  addresses: Type.Optional(Type.Array(AddressInput, { maxItems: 50 })),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  external_id: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 200 }), Type.Null()])),
  group: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const CustomerResponse: TSchema = Type.Object({
  customer: Customer,
});

export const GetCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Type.Optional(Text({ format: "email" })),
  first_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  last_name: Type.Optional(Type.Union([Text({ maxLength: 100, format: "line" }), Type.Null()])),
  phone: Type.Optional(Type.Union([Text({ maxLength: 40, format: "line" }), Type.Null()])),
  addresses: Type.Optional(Type.Array(AddressInput, { maxItems: 50 })),
  metadata: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,40}$" }), Text({ maxLength: 500 }), { additionalProperties: false, maxProperties: 50 })),
  version: Type.Optional(Text({ format: "date-time" })),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const DeleteCustomerRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SetCustomerGroupRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  group: Type.Union([Text({ minLength: 1, maxLength: 100, format: "words" }), Type.Null()]),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const AccountSessionRecord: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  created_at: Text({ format: "date-time" }),
  last_refreshed_at: Text({ format: "date-time" }),
  expires_at: Text({ format: "date-time" }),
  user_agent: Type.Union([Type.String(), Type.Null()]),
});

export const ListCustomerSessionsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListCustomerSessionsResponse: TSchema = Type.Object({
  sessions: Type.Array(AccountSessionRecord),
  pagination: Pagination,
});

export const DeleteCustomerSessionRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  session_id: Text({ format: "uuid" }),
});

export const EndCustomerSessionsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const EndCustomerSessionsResponse: TSchema = Type.Object({
  ended: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});
