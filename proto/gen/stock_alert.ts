// Generated from stoa/v1/stock_alert.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type CreateStockAlertRequest = {
  id: string;
  email: string;
  /** Left out: any variant of the product. */
  variant_id?: string | null;
  /** Language of the mail, such as `de`; the store's nearest to it, else its default one. `Accept-Language` when left out. */
  language?: string;
};

export type RequestedStockAlert = {
  product_id: string;
  /** Null: any variant of the product. */
  variant_id: string | null;
  email: string;
};

export type StockAlertResponse = {
  stock_alert: RequestedStockAlert;
};

/**
 * Mails about products that are back in stock.
 * @internal
 */
export interface StockAlertRpcs {
  CreateStockAlert: { request: CreateStockAlertRequest; response: StockAlertResponse };
}
