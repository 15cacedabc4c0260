// Generated from stoa/v1/purchase_order.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, AddressInput, Pagination } from './shared.schema.ts';
import { AgreedItem } from './wholesale_quote.schema.ts';

export const PurchaseOrder: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  quote_id: Text({ format: "uuid" }),
  po_number: Type.String(),
  status: Type.Union([Type.Literal("issued"), Type.Literal("confirmed"), Type.Literal("fulfilled"), Type.Literal("cancelled")]),
  currency: Type.String(),
  subtotal: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  payment_terms: Type.Union([Type.Literal("due_on_receipt"), Type.Literal("net_7"), Type.Literal("net_15"), Type.Literal("net_30"), Type.Literal("net_60"), Type.Literal("net_90")]),
  created_at: Text({ format: "date-time" }),
  customer_id: Text({ format: "uuid" }),
  items: Type.Array(AgreedItem),
  shipping_address: Address,
  billing_address: Type.Union([Address, Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  invoice_ids: Type.Array(Text({ format: "uuid" })),
});

export const CreatePurchaseOrderRequest: TSchema = Type.Object({
  quote_id: Text({ format: "uuid" }),
  po_number: Text({ minLength: 1, maxLength: 50, format: "words" }),
  shipping_address: AddressInput,
  billing_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
});

export const PurchaseOrderResponse: TSchema = Type.Object({
  data: PurchaseOrder,
});

export const ListPurchaseOrdersRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("issued"), Type.Literal("confirmed"), Type.Literal("fulfilled"), Type.Literal("cancelled")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListPurchaseOrdersResponse: TSchema = Type.Object({
  data: Type.Array(PurchaseOrder),
  pagination: Pagination,
});

export const GetPurchaseOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const ConfirmPurchaseOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const FulfillPurchaseOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  carrier: Type.Optional(Type.Union([Text({ maxLength: 100 }), Type.Null()])),
  tracking_number: Type.Optional(Type.Union([Text({ maxLength: 200 }), Type.Null()])),
  tracking_url: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
});

export const CancelPurchaseOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
