// Generated from stoa/v1/order_return.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const ReturnReason: TSchema = Type.Object({
  code: Type.Union([Type.Literal("damaged"), Type.Literal("defective"), Type.Literal("wrong_item"), Type.Literal("not_as_described"), Type.Literal("wrong_size"), Type.Literal("no_longer_needed"), Type.Literal("arrived_late"), Type.Literal("other")]),
  label: Type.String(),
  detail_required: Type.Boolean(),
});

export const ListReturnReasonsRequest: TSchema = Type.Object({
  fields: Type.Optional(Type.String()),
});

export const ListReturnReasonsResponse: TSchema = Type.Object({
  data: Type.Array(ReturnReason),
});

export const ReturnedItem: TSchema = Type.Object({
  order_item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const ReturnedItemInput: TSchema = Type.Object({
  order_item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const CreditOffer: TSchema = Type.Object({
  status: Type.Union([Type.Literal("pending"), Type.Literal("accepted"), Type.Literal("withdrawn")]),
  amount: Type.Number(),
});

export const OrderReturn: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  order_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("requested"), Type.Literal("approved"), Type.Literal("rejected"), Type.Literal("received"), Type.Literal("refunded"), Type.Literal("credited"), Type.Literal("cancelled")]),
  reason_code: Type.Union([Type.Literal("damaged"), Type.Literal("defective"), Type.Literal("wrong_item"), Type.Literal("not_as_described"), Type.Literal("wrong_size"), Type.Literal("no_longer_needed"), Type.Literal("arrived_late"), Type.Literal("other")]),
  reason_detail: Type.Union([Type.String(), Type.Null()]),
  contact_phone: Type.Union([Type.String(), Type.Null()]),
  resolution: Type.Union([Type.Literal("full_refund"), Type.Literal("partial_refund"), Type.Literal("exchange"), Type.Literal("store_credit")]),
  items: Type.Array(ReturnedItem),
  refund_amount: Type.Union([Type.Number(), Type.Null()]),
  currency: Type.String(),
  credit_offer: Type.Union([CreditOffer, Type.Null()]),
  exchange_order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const ReturnResponse: TSchema = Type.Object({
  data: OrderReturn,
});

export const CreateReturnRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  reason_code: Type.Union([Type.Literal("damaged"), Type.Literal("defective"), Type.Literal("wrong_item"), Type.Literal("not_as_described"), Type.Literal("wrong_size"), Type.Literal("no_longer_needed"), Type.Literal("arrived_late"), Type.Literal("other")]),
  reason_detail: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 1000 }), Type.Null()])),
  resolution: Type.Optional(Type.Union([Type.Literal("full_refund"), Type.Literal("partial_refund"), Type.Literal("exchange"), Type.Literal("store_credit")])),
  items: Type.Optional(Type.Array(ReturnedItemInput, { minItems: 1, maxItems: 500 })),
  contact_phone: Type.Optional(Type.Union([Text({ maxLength: 50, format: "line" }), Type.Null()])),
});

export const ListReturnsRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("requested"), Type.Literal("approved"), Type.Literal("rejected"), Type.Literal("received"), Type.Literal("refunded"), Type.Literal("credited"), Type.Literal("cancelled")])),
  order_id: Type.Optional(Text({ format: "uuid" })),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListReturnsResponse: TSchema = Type.Object({
  data: Type.Array(OrderReturn),
  pagination: Pagination,
});

export const GetReturnRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const WantedCreditOffer: TSchema = Type.Object({
  amount: Type.Number({ maximum: 99999999.99, exclusiveMinimum: 0 }),
});

export const UpdateReturnRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Optional(Type.Union([Type.Literal("requested"), Type.Literal("approved"), Type.Literal("rejected"), Type.Literal("received"), Type.Literal("refunded"), Type.Literal("credited"), Type.Literal("cancelled")])),
  refund_amount: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  restock: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  exchange_order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  credit_offer: Type.Optional(Type.Union([WantedCreditOffer, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const CancelReturnRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const AcceptCreditRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const GrantedCredit: TSchema = Type.Object({
  store_credit_id: Text({ format: "uuid" }),
  amount: Type.Number(),
});

export const AcceptCreditResponse: TSchema = Type.Object({
  data: GrantedCredit,
});
