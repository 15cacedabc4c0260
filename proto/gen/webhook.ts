// Generated from stoa/v1/webhook.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** Counts of an endpoint's deliveries, as far as the log goes back. */
export type WebhookStatistics = {
  pending: number;
  retrying: number;
  delivered: number;
  dead_lettered: number;
};

/** A URL that receives events. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  /** For people. */
  description: string | null;
  /** Types of events; `*` is all of them. */
  events: readonly string[];
  enabled: boolean;
  /** Secret that signs deliveries, at creation and rotation only. */
  signing_secret?: string;
  /** Set when a single endpoint is read. */
  statistics?: WebhookStatistics;
  created_at: string;
  updated_at: string;
  /**
   * `stoa`: every event in its envelope. `acp`: events of orders that came of a checkout intent, as the Agentic Commerce
   * Protocol tells of them. `ucp`: the same orders as the Universal Commerce Protocol tells of them.
   */
  format: "stoa" | "acp" | "ucp";
};

/** A webhook endpoint in a list. Only a secret key sees its URL and description. */
export type ListedEndpoint = {
  id: string;
  url?: string;
  /** For people. */
  description?: string | null;
  /** Types of events; `*` is all of them. */
  events: readonly string[];
  enabled: boolean;
  created_at?: string;
  updated_at?: string;
  format?: "stoa" | "acp" | "ucp";
};

export type WebhookData = {
  /** The resource as the API shows it, and the event's extras. */
  object: Record<string, unknown>;
};

export type WebhookAttempt = {
  /** Time by the store's clock. */
  attempted_at: string;
  /** Null where no answer came. */
  response_status: number | null;
  /** Why it did not succeed; null where it did. */
  error: string | null;
  duration_ms: number;
};

/** Delivery of an event to one endpoint. */
export type WebhookDelivery = {
  endpoint_id: string;
  status: "pending" | "retrying" | "delivered" | "dead_lettered";
  /** How often it was tried. */
  attempts: number;
  /** Status of the last attempt; null before the first attempt and when no answer came. */
  response_status: number | null;
  /** Null once nothing more will be tried. */
  next_attempt_at: string | null;
  /** The last 20 attempts, oldest first. */
  attempt_log: readonly WebhookAttempt[];
};

/** An event: its envelope as it is sent, and what became of it at each endpoint. */
export type WebhookEvent = {
  id: string;
  type: string;
  /** Time by the store's clock. */
  created_at: string;
  store_id: string;
  api_version: string;
  data: WebhookData;
  /** On update events: what the changed fields were. */
  previous_attributes?: Record<string, unknown>;
  /** The later of two events of one object has the larger number. */
  sequence: number;
  deliveries: readonly WebhookDelivery[];
};

export type ListEndpointsRequest = {
  /** Page size. */
  limit?: number;
  cursor?: string;
  /** Comma-separated names of an endpoint's fields to return. */
  fields?: string;
};

export type ListEndpointsResponse = {
  webhook_endpoints: readonly ListedEndpoint[];
  pagination: Pagination;
};

export type CreateEndpointRequest = {
  url: string;
  /** Types of events, or `*` for all. */
  events: readonly string[];
  description?: string | null;
  /** True where left out. */
  enabled?: boolean;
  /**
   * `stoa` where left out. With `acp` deliveries are orders as the Agentic Commerce Protocol tells of them, signed in
   * `Merchant-Signature`, of orders that came of a checkout intent alone. With `ucp` they are the same orders as the Universal
   * Commerce Protocol tells of them, signed (RFC 9421) with a key of the store's profile.
   */
  format?: "stoa" | "acp" | "ucp";
};

export type EndpointResponse = {
  webhook_endpoint: WebhookEndpoint;
};

export type GetEndpointRequest = {
  id: string;
  fields?: string;
};

export type UpdateEndpointRequest = {
  id: string;
  url?: string;
  events?: readonly string[];
  description?: string | null;
  enabled?: boolean;
};

export type DeleteEndpointRequest = {
  id: string;
};

export type TestEndpointRequest = {
  id: string;
  /** The first type that the endpoint hears of, where left out. */
  event_type?: string;
};

export type TestEndpointResponse = {
  /** Whether the endpoint answered 2xx. */
  success: boolean;
  /** Null where no answer came. */
  status_code: number | null;
};

export type RotateSecretRequest = {
  id: string;
};

export type ListEventsRequest = {
  limit?: number;
  cursor?: string;
  /** Events of this type alone. */
  type?: string;
  /** `now`, then each time the `position` of the answer before; instead of `cursor`. */
  follow?: string;
  /** With `follow`: how long to wait for an event where there is none yet. */
  wait_seconds?: number;
  /** Comma-separated names of an event's fields to return. */
  fields?: string;
};

export type ListEventsResponse = {
  webhook_events: readonly WebhookEvent[];
  pagination: Pagination;
  /** Position to follow from, when `follow` was sent. */
  position?: string;
};

export type GetEventRequest = {
  id: string;
  fields?: string;
};

export type EventResponse = {
  webhook_event: WebhookEvent;
};

export type RetryEventRequest = {
  id: string;
};

export type ReplayEventRequest = {
  event_id: string;
};

export type ReplayEventResponse = {
  /** Endpoints that it is sent to. */
  replayed: number;
};

/**
 * Endpoints that hear of events.
 * @internal
 */
export interface WebhookRpcs {
  ListEndpoints: { request: ListEndpointsRequest; response: ListEndpointsResponse };
  CreateEndpoint: { request: CreateEndpointRequest; response: EndpointResponse };
  GetEndpoint: { request: GetEndpointRequest; response: EndpointResponse };
  UpdateEndpoint: { request: UpdateEndpointRequest; response: EndpointResponse };
  DeleteEndpoint: { request: DeleteEndpointRequest; response: Deleted };
  TestEndpoint: { request: TestEndpointRequest; response: TestEndpointResponse };
  RotateSecret: { request: RotateSecretRequest; response: EndpointResponse };
}

/**
 * The log of events: each that was committed, whether or not an endpoint hears of it, for 30 days.
 * @internal
 */
export interface WebhookLogRpcs {
  ListEvents: { request: ListEventsRequest; response: ListEventsResponse };
  GetEvent: { request: GetEventRequest; response: EventResponse };
  RetryEvent: { request: RetryEventRequest; response: EventResponse };
  ReplayEvent: { request: ReplayEventRequest; response: ReplayEventResponse };
}
