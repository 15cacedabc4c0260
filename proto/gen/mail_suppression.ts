// Generated from stoa/v1/mail_suppression.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

export type SuppressedAddress = {
  id: string;
  /** In lower case. */
  email: string;
  reason: "hard_bounce" | "complaint" | "unsubscribed";
  /** The provider's own words. */
  details: string | null;
  created_at: string;
};

export type ListMailSuppressionsRequest = {
  /** Only this address, in any letter case. */
  email?: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a suppression's fields to return. */
  fields?: string;
};

export type ListMailSuppressionsResponse = {
  mail_suppressions: readonly SuppressedAddress[];
  pagination: Pagination;
};

export type DeleteMailSuppressionRequest = {
  id: string;
};

export type CreateBounceAddressRequest = Record<never, never>;

export type BounceAddressResponse = {
  /** Takes POST with `events`, without a key. */
  url: string;
};

export type BounceEvent = {
  email: string;
  /** `hard_bounce` or `complaint`; any other type changes nothing. */
  type: string;
  details?: string | null;
};

export type ReportBouncesRequest = {
  store_id: string;
  environment: "production" | "sandbox";
  token: string;
  events: readonly BounceEvent[];
};

export type ReportBouncesResponse = {
  /** Events that suppress their address. */
  accepted: number;
};

/** @internal */
export type ShowSubscriptionRequest = {
  token: string;
};

/** @internal */
export type SubscriptionResponse = {
  store_id: string;
  email: string;
  /** Whether the address is unsubscribed from marketing. */
  unsubscribed: boolean;
};

/**
 * Suppressed addresses. Each environment has its own.
 * @internal
 */
export interface MailSuppressionRpcs {
  ListMailSuppressions: { request: ListMailSuppressionsRequest; response: ListMailSuppressionsResponse };
  DeleteMailSuppression: { request: DeleteMailSuppressionRequest; response: Deleted };
  CreateBounceAddress: { request: CreateBounceAddressRequest; response: BounceAddressResponse };
  ReportBounces: { request: ReportBouncesRequest; response: ReportBouncesResponse };
}

/**
 * The page by which readers unsubscribe.
 * @internal
 */
export interface MailReaderRpcs {
  ShowSubscription: { request: ShowSubscriptionRequest; response: SubscriptionResponse };
  Unsubscribe: { request: ShowSubscriptionRequest; response: SubscriptionResponse };
}
