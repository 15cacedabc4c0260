// Generated from stoa/v1/b2b.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { CreateInvoiceRequest, GetInvoiceRequest, InvoiceResponse, ListInvoicesRequest, ListInvoicesResponse, PayInvoiceRequest, PrintInvoiceRequest, PrintInvoiceResponse, VoidInvoiceRequest } from './invoice.ts';
import type { CancelPurchaseOrderRequest, ConfirmPurchaseOrderRequest, CreatePurchaseOrderRequest, FulfillPurchaseOrderRequest, GetPurchaseOrderRequest, ListPurchaseOrdersRequest, ListPurchaseOrdersResponse, PurchaseOrderResponse } from './purchase_order.ts';
import type { CancelRfqRequest, CreateRfqRequest, GetRfqRequest, ListRfqsRequest, ListRfqsResponse, RfqResponse } from './rfq.ts';
import type { AnswerWholesaleQuoteRequest, CreateWholesaleQuoteRequest, GetWholesaleQuoteRequest, ListWholesaleQuotesRequest, ListWholesaleQuotesResponse, WholesaleQuoteResponse } from './wholesale_quote.ts';

/**
 * Wholesale. A buyer, who is a customer with a session, asks for a quote; the store quotes; the buyer accepts and
 * orders; the store confirms, fulfils and sends invoices. A buyer sees their own records, a secret key without a
 * session sees all.
 * @internal
 */
export interface WholesaleRpcs {
  CreateRfq: { request: CreateRfqRequest; response: RfqResponse };
  ListRfqs: { request: ListRfqsRequest; response: ListRfqsResponse };
  GetRfq: { request: GetRfqRequest; response: RfqResponse };
  CancelRfq: { request: CancelRfqRequest; response: RfqResponse };
  CreateQuote: { request: CreateWholesaleQuoteRequest; response: WholesaleQuoteResponse };
  ListQuotes: { request: ListWholesaleQuotesRequest; response: ListWholesaleQuotesResponse };
  GetQuote: { request: GetWholesaleQuoteRequest; response: WholesaleQuoteResponse };
  AcceptQuote: { request: AnswerWholesaleQuoteRequest; response: WholesaleQuoteResponse };
  RejectQuote: { request: AnswerWholesaleQuoteRequest; response: WholesaleQuoteResponse };
  CreatePurchaseOrder: { request: CreatePurchaseOrderRequest; response: PurchaseOrderResponse };
  ListPurchaseOrders: { request: ListPurchaseOrdersRequest; response: ListPurchaseOrdersResponse };
  GetPurchaseOrder: { request: GetPurchaseOrderRequest; response: PurchaseOrderResponse };
  ConfirmPurchaseOrder: { request: ConfirmPurchaseOrderRequest; response: PurchaseOrderResponse };
  FulfillPurchaseOrder: { request: FulfillPurchaseOrderRequest; response: PurchaseOrderResponse };
  CancelPurchaseOrder: { request: CancelPurchaseOrderRequest; response: PurchaseOrderResponse };
  CreateInvoice: { request: CreateInvoiceRequest; response: InvoiceResponse };
  ListInvoices: { request: ListInvoicesRequest; response: ListInvoicesResponse };
  GetInvoice: { request: GetInvoiceRequest; response: InvoiceResponse };
  PrintInvoice: { request: PrintInvoiceRequest; response: PrintInvoiceResponse };
  PayInvoice: { request: PayInvoiceRequest; response: InvoiceResponse };
  VoidInvoice: { request: VoidInvoiceRequest; response: InvoiceResponse };
}
