// Generated from stoa/v1/merchant.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type MarketplaceMerchant = {
  store_id: string;
  name: string;
  code: string;
  logo_url: string | null;
  website_url: string | null;
  currency: string;
  country: string | null;
  /** Whether the operator has suspended it. */
  suspended: boolean;
  /** Whether its subscription has lapsed, so that it sells nothing anywhere. */
  lapsed: boolean;
};

export type ListMarketplaceMerchantsRequest = {
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListMarketplaceMerchantsResponse = {
  merchants: readonly MarketplaceMerchant[];
  pagination: Pagination;
};

export type GetMarketplaceMerchantRequest = {
  store_id: string;
  fields?: string;
};

export type UpdateMarketplaceMerchantRequest = {
  store_id: string;
  suspended: boolean;
};

export type MarketplaceMerchantResponse = {
  merchant: MarketplaceMerchant;
};

/**
 * The stores that a marketplace operator sells for. Both environments share them.
 * @internal
 */
export interface MerchantRpcs {
  ListMarketplaceMerchants: { request: ListMarketplaceMerchantsRequest; response: ListMarketplaceMerchantsResponse };
  GetMarketplaceMerchant: { request: GetMarketplaceMerchantRequest; response: MarketplaceMerchantResponse };
  UpdateMarketplaceMerchant: { request: UpdateMarketplaceMerchantRequest; response: MarketplaceMerchantResponse };
}
