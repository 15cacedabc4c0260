// Generated from stoa/v1/assistant.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { OrderItemRequest, OrderResponse } from './order.ts';
import type { Product } from './product.ts';
import type { AddressInput } from './shared.ts';
import type { ShippingChoice } from './shipping.ts';
import type { StoreAgents } from './store.ts';
import type { StoreColours } from './store_directory.ts';
import type { StoreSigningKey } from './webhook_platform.ts';

/** @internal */
export type GetShopRequest = {
  store: string;
};

/** @internal */
export type PolicyName = {
  type: "terms" | "privacy" | "returns" | "shipping" | "refund";
  title: string;
};

/** @internal */
export type AssistantShop = {
  id: string;
  code: string;
  name: string;
  description: string | null;
  logo_url: string | null;
  website_url: string | null;
  contact_email: string | null;
  contact_phone: string | null;
  currency: string;
  country: string | null;
  tax_inclusive: boolean;
  /** Protocols that the store speaks now: none when its subscription has lapsed or it sells wholesale. */
  agents: StoreAgents;
  domains: readonly string[];
  /** Whether llms.txt is published. */
  llms_enabled: boolean;
  /** The newest published policies. */
  policies: readonly PolicyName[];
  /** Whether cards are taken there, so that a payment token can pay. */
  takes_cards_in_production: boolean;
  takes_cards_in_sandbox: boolean;
  /** Whether it sells to shoppers at all: it is neither lapsed nor sells wholesale alone. */
  open: boolean;
  /** Keys that sign its webhooks. */
  signing_keys: readonly StoreSigningKey[];
  colours: StoreColours;
  /** Further ones that it sells in. */
  currencies: readonly string[];
};

/** @internal */
export type FindProductsRequest = {
  query?: string | null;
  /** Ids, slugs, names or paths such as `Shoes > Trail` of categories; one of them is enough. */
  categories?: readonly string[];
  /** Selling price, inclusive. */
  min_price?: number | null;
  max_price?: number | null;
  /** Only what can be bought now. */
  in_stock?: boolean;
  /** 10 where left out. */
  limit?: number;
  cursor?: string | null;
  /** Currency of the prices and of their bounds; the store's own if it does not sell in it. */
  currency?: string;
};

/** @internal */
export type FindProductsResponse = {
  products: readonly Product[];
  /** How many match, and where the next page begins. */
  total: number;
  next_cursor: string | null;
};

/** @internal */
export type LookUpProductsRequest = {
  ids: readonly string[];
  /** Currency of the prices; the store's own if it does not sell in it. */
  currency?: string;
};

/** @internal */
export type ProductMatch = {
  /** The id or slug as requested. */
  id: string;
  product_id: string;
  /** The variant named by the request; null when the request names a product. */
  variant_id: string | null;
};

/** @internal */
export type LookUpProductsResponse = {
  /** Each once, in the order in which it was asked for first. */
  products: readonly Product[];
  /** The match of each known name of the request. */
  matches: readonly ProductMatch[];
};

/** @internal */
export type ListWaysRequest = {
  items: readonly OrderItemRequest[];
  address: AddressInput;
};

/** @internal */
export type ListWaysResponse = {
  currency: string;
  /** Empty when no item is sent. */
  options: readonly ShippingChoice[];
};

/** @internal */
export type GetAssistantOrderRequest = {
  id: string;
};

/** @internal */
export type FindEnvironmentRequest = {
  kind: "checkout" | "order";
  id: string;
};

/** @internal */
export type FindEnvironmentResponse = {
  environment: "production" | "sandbox";
};

/** @internal */
export type ReadPlatformRequest = {
  profile: string;
  /** A key that the platform signs with: a kept profile that does not have it is fetched anew. */
  kid?: string | null;
};

/** @internal */
export type PlatformCapability = {
  name: string;
  versions: readonly string[];
};

/**
 * A public key as a JWK. Fields that its key type does not use are empty.
 * @internal
 */
export type PlatformKey = {
  kid: string;
  kty: string;
  crv: string;
  x: string;
  y: string;
};

/**
 * The parts of a platform's profile that a store uses.
 * @internal
 */
export type PlatformProfile = {
  version: string;
  capabilities: readonly PlatformCapability[];
  /** URL that receives order events. */
  order_webhook_url: string | null;
  /** Public keys of its signatures. */
  signing_keys: readonly PlatformKey[];
};

/** @internal */
export type ReadPlatformResponse = {
  /** Absent where it could not be read. */
  platform: PlatformProfile | null;
  fault: "invalid_profile_url" | "profile_unreachable" | "profile_malformed" | null;
  /** Why, for people. */
  problem: string | null;
};

/**
 * The catalogue, delivery and orders as assistants see them.
 * @internal
 */
export interface AssistantRpcs {
  GetShop: { request: GetShopRequest; response: AssistantShop };
  FindProducts: { request: FindProductsRequest; response: FindProductsResponse };
  LookUpProducts: { request: LookUpProductsRequest; response: LookUpProductsResponse };
  ListWays: { request: ListWaysRequest; response: ListWaysResponse };
  GetOrder: { request: GetAssistantOrderRequest; response: OrderResponse };
  FindEnvironment: { request: FindEnvironmentRequest; response: FindEnvironmentResponse };
  ReadPlatform: { request: ReadPlatformRequest; response: ReadPlatformResponse };
}
