// Generated from stoa/v1/recommendation.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ListedProduct } from './product.ts';

export type RecordEventRequest = {
  event_type: "view" | "add_to_cart" | "add_to_wishlist";
  /** Stands for its product. One of `variant_id` and `product_id` is required. */
  variant_id?: string | null;
  product_id?: string | null;
  /** Stable within a browsing session, the same as the anonymous cart's; or the header `X-Session-Id`. */
  session_id?: string | null;
  /** The signed-in customer. */
  customer_id?: string | null;
  /**
   * `storefront` unless said: the seller's own site. `marketplace`: of the operators that sell for the store; where there are
   * none, it was the seller's own site.
   */
  channel?: "storefront" | "marketplace" | null;
  /** The same, for who cannot say it in the body, which wins: `storefront` or `marketplace`. */
  channel_header?: string;
};

export type RecordEventResponse = {
  recorded: boolean;
};

export type RecommendRequest = {
  /** `next_likely` unless said. */
  intent?: "next_likely" | "similar" | "trending";
  /** The product that is looked at. */
  product_id?: string | null;
  /** Session whose latest product stands in when none is named. */
  session_id?: string | null;
  /** Customer whose latest product stands in when no session is named, or when the session is unknown. */
  customer_id?: string | null;
  /** Recommendations. */
  limit?: number;
};

export type RecommendedProduct = {
  product_id: string;
  /** 0 to 1, comparable among those of one reason. */
  score: number;
  reason: "bought_together" | "viewed_together" | "similar" | "trending";
  /** The product as lists show it. */
  product: ListedProduct;
  /** The product's merchant, in answers over all of an operator's merchants. */
  merchant_store_id?: string;
  /** That merchant's name. */
  merchant_name?: string;
};

export type RecommendResponse = {
  /** The best first. */
  recommendations: readonly RecommendedProduct[];
  /** `awaiting_data`: too few interactions were seen for the requested kind; similar or trending products stand in. */
  status: "available" | "awaiting_data";
};

/**
 * Storefront events, and the recommendations that are learnt from them and from orders.
 * @internal
 */
export interface RecommendationRpcs {
  RecordEvent: { request: RecordEventRequest; response: RecordEventResponse };
  Recommend: { request: RecommendRequest; response: RecommendResponse };
}
