// Generated from stoa/v1/shared.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** Position in a cursor-based list. */
export type Pagination = {
  /** Page size used. */
  limit: number;
  /** False on the last page. */
  has_more: boolean;
  /** Opaque; null when has_more is false. */
  next_cursor: string | null;
};

/** The answer to a deletion. */
export type Deleted = {
  deleted: boolean;
  id: string;
};

/** A postal address, with coordinates where they are known. */
export type Address = {
  first_name: string | null;
  last_name: string | null;
  company: string | null;
  line1: string;
  line2: string | null;
  city: string;
  state: string | null;
  postal_code: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  phone: string | null;
  latitude: number | null;
  longitude: number | null;
};

/** A postal address, with coordinates where they are known. */
export type AddressInput = {
  first_name?: string | null;
  last_name?: string | null;
  company?: string | null;
  line1?: string;
  line2?: string | null;
  city?: string;
  state?: string | null;
  postal_code?: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  phone?: string | null;
  latitude?: number | null;
  longitude?: number | null;
};

/** The shopping assistant that acts for a buyer, and the protocol by which it came. */
export type AgentName = {
  /** Name that the agent gives for itself. */
  name: string;
  protocol: "mcp" | "acp" | "ucp";
};

/** The shopping assistant that acts for a buyer, and the protocol by which it came. */
export type AgentNameInput = {
  /** Name that the agent gives for itself. */
  name: string;
  protocol: "mcp" | "acp" | "ucp";
};

/** A picture or a video. */
export type MediaItem = {
  id: string | null;
  type: "image" | "video";
  /** A URL, or the id of an uploaded file, which becomes its URL. */
  url: string;
  alt_text: string | null;
  /** Pixels. */
  width: number | null;
  /** Pixels. */
  height: number | null;
  /** Counts from 1. */
  position: number | null;
  /** A video's still picture. */
  poster_url: string | null;
};

/** A picture or a video. */
export type MediaItemInput = {
  id?: string | null;
  type?: "image" | "video";
  /** A URL, or the id of an uploaded file, which becomes its URL. */
  url: string;
  alt_text?: string | null;
  /** Pixels. */
  width?: number | null;
  /** Pixels. */
  height?: number | null;
  /** Counts from 1. */
  position?: number | null;
  /** A video's still picture. */
  poster_url?: string | null;
};

/** A promotion that takes something off a basket, and how much. */
export type AppliedPromotion = {
  promotion_id: string;
  /** Null when the promotion applies without a code. */
  code: string | null;
  title: string;
  /** Discount. For free shipping it is the saved fee, 0 when no fee is known yet. */
  amount: number;
};

/** A promotion code that does not apply, and why. */
export type RejectedCode = {
  code: string;
  /** For people. */
  reason: string;
};

export type ErrorDetail = {
  /** Machine-readable. */
  code: "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "conflict" | "rate_limited" | "quota_exceeded" | "service_unavailable" | "server_error" | "shipping_not_deliverable" | "amount_mismatch" | "insufficient_stock" | "promotion_not_applicable" | "gift_card_not_applicable" | "currency_not_available" | "payment_declined" | "payment_not_captured" | "idempotency_conflict" | "payload_too_large" | "unsupported_media_type" | "method_not_allowed";
  /** For people. */
  message: string;
  /** Extra context. */
  details?: string;
  /** Advice for resolving the error. */
  hint?: string;
  /** JSON path of the first bad field. */
  param?: string;
  /** On `rate_limited` answers. */
  remaining?: number;
  /** Unix timestamp, on `rate_limited` answers. */
  reset?: number;
  /** The answer's `X-Request-Id`. */
  request_id: string;
};

/** Every error answer. */
export type ErrorObject = {
  error: ErrorDetail;
};
