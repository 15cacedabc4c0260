// Generated from stoa/v1/b2b.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Address, AddressInput, Pagination } from './shared.schema.ts';

export const RfqItem: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  target_unit_price: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
});

export const RfqItemInput: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  target_unit_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
});

export const Rfq: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  rfq_number: Type.String(),
  status: Type.Union([Type.Literal("submitted"), Type.Literal("quoted"), Type.Literal("closed"), Type.Literal("cancelled")]),
  customer_id: Text({ format: "uuid" }),
  items: Type.Array(RfqItem),
  note: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const CreateRfqRequest: TSchema = Type.Object({
  items: Type.Array(RfqItemInput, { minItems: 1, maxItems: 500 }),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const RfqResponse: TSchema = Type.Object({
  data: Rfq,
});

export const ListRfqsRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("submitted"), Type.Literal("quoted"), Type.Literal("closed"), Type.Literal("cancelled")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListRfqsResponse: TSchema = Type.Object({
  data: Type.Array(Rfq),
  pagination: Pagination,
});

export const GetRfqRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const CancelRfqRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const AgreedItem: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  total: Type.Number(),
});

export const WholesaleQuote: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  quote_number: Type.String(),
  rfq_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("sent"), Type.Literal("accepted"), Type.Literal("rejected"), Type.Literal("expired")]),
  currency: Type.String(),
  items: Type.Array(AgreedItem),
  subtotal: Type.Number(),
  tax_amount: Type.Number(),
  total: Type.Number(),
  payment_terms: Type.Union([Type.Literal("due_on_receipt"), Type.Literal("net_7"), Type.Literal("net_15"), Type.Literal("net_30"), Type.Literal("net_60"), Type.Literal("net_90")]),
  valid_until: Text({ format: "date-time" }),
  shipping_address: Type.Union([Address, Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const QuotedItemRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000 }),
  unit_price: Type.Number({ maximum: 99999999.99, minimum: 0 }),
});

export const CreateWholesaleQuoteRequest: TSchema = Type.Object({
  rfq_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  items: Type.Array(QuotedItemRequest, { minItems: 1, maxItems: 500 }),
  payment_terms: Type.Optional(Type.Union([Type.Union([Type.Literal("due_on_receipt"), Type.Literal("net_7"), Type.Literal("net_15"), Type.Literal("net_30"), Type.Literal("net_60"), Type.Literal("net_90")]), Type.Null()])),
  valid_until: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  note: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const WholesaleQuoteResponse: TSchema = Type.Object({
  data: WholesaleQuote,
});

export const ListWholesaleQuotesRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("sent"), Type.Literal("accepted"), Type.Literal("rejected"), Type.Literal("expired")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListWholesaleQuotesResponse: TSchema = Type.Object({
  data: Type.Array(WholesaleQuote),
  pagination: Pagination,
});

export const GetWholesaleQuoteRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const AnswerWholesaleQuoteRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  reason: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

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
  po_number: Text({ minLength: 1, maxLength: 50 }),
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
