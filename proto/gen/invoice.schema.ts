// Generated from stoa/v1/invoice.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const InvoicedItem: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  item_id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  total: Type.Number(),
});

export const Invoice: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  invoice_number: Type.String(),
  purchase_order_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("issued"), Type.Literal("paid"), Type.Literal("overdue"), Type.Literal("void")]),
  currency: Type.String(),
  subtotal: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  amount_due: Type.Number(),
  issued_at: Text({ format: "date-time" }),
  due_at: Text({ format: "date-time" }),
  paid_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  reference: Type.Union([Type.String(), Type.Null()]),
  items: Type.Array(InvoicedItem),
});

export const InvoicedItemRequest: TSchema = Type.Object({
  item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
});

export const CreateInvoiceRequest: TSchema = Type.Object({
  purchase_order_id: Text({ format: "uuid" }),
  items: Type.Optional(Type.Union([Type.Array(InvoicedItemRequest, { minItems: 1, maxItems: 500 }), Type.Null()])),
});

export const InvoiceResponse: TSchema = Type.Object({
  data: Invoice,
});

export const ListInvoicesRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("issued"), Type.Literal("paid"), Type.Literal("overdue"), Type.Literal("void")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListInvoicesResponse: TSchema = Type.Object({
  data: Type.Array(Invoice),
  pagination: Pagination,
});

export const GetInvoiceRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const PrintInvoiceRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const PrintInvoiceResponse: TSchema = Type.Object({});

export const PayInvoiceRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  amount: Type.Number({ maximum: 99999999.99, minimum: 0 }),
  reference: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const VoidInvoiceRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
