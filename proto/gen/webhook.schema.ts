// Generated from stoa/v1/webhook.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const WebhookStatistics: TSchema = Type.Object({
  pending: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  retrying: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  delivered: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  dead_lettered: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const WebhookEndpoint: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  url: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  signing_secret: Type.Optional(Type.String()),
  statistics: Type.Optional(WebhookStatistics),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  format: Type.Union([Type.Literal("stoa"), Type.Literal("acp"), Type.Literal("ucp")]),
});

export const ListedEndpoint: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  url: Type.Optional(Type.String()),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  events: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  created_at: Type.Optional(Text({ format: "date-time" })),
  updated_at: Type.Optional(Text({ format: "date-time" })),
  format: Type.Optional(Type.Union([Type.Literal("stoa"), Type.Literal("acp"), Type.Literal("ucp")])),
});

export const WebhookData: TSchema = Type.Object({
  object: Type.Object({}, { additionalProperties: true }),
});

export const WebhookAttempt: TSchema = Type.Object({
  attempted_at: Text({ format: "date-time" }),
  response_status: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
  duration_ms: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const WebhookDelivery: TSchema = Type.Object({
  endpoint_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("pending"), Type.Literal("retrying"), Type.Literal("delivered"), Type.Literal("dead_lettered")]),
  attempts: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  response_status: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  next_attempt_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  attempt_log: Type.Array(WebhookAttempt),
});

export const WebhookEvent: TSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  created_at: Text({ format: "date-time" }),
  store_id: Text({ format: "uuid" }),
  api_version: Type.String(),
  data: WebhookData,
  previous_attributes: Type.Optional(Type.Object({}, { additionalProperties: true })),
  sequence: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  deliveries: Type.Array(WebhookDelivery),
});

export const ListEndpointsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListEndpointsResponse: TSchema = Type.Object({
  webhook_endpoints: Type.Array(ListedEndpoint),
  pagination: Pagination,
});

export const CreateEndpointRequest: TSchema = Type.Object({
  url: Text({ maxLength: 2048, format: "http-url" }),
  events: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
  description: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  enabled: Type.Optional(Type.Boolean()),
  format: Type.Optional(Type.Union([Type.Literal("stoa"), Type.Literal("acp"), Type.Literal("ucp")])),
});

export const EndpointResponse: TSchema = Type.Object({
  webhook_endpoint: WebhookEndpoint,
});

export const GetEndpointRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateEndpointRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  events: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
  description: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  enabled: Type.Optional(Type.Boolean()),
});

export const DeleteEndpointRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const TestEndpointRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  event_type: Type.Optional(Text({ maxLength: 100 })),
});

export const TestEndpointResponse: TSchema = Type.Object({
  success: Type.Boolean(),
  status_code: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
});

export const RotateSecretRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const ListEventsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  type: Type.Optional(Text({ maxLength: 100 })),
  follow: Type.Optional(Text({ maxLength: 4096 })),
  wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 8 })),
  fields: Type.Optional(Type.String()),
});

export const ListEventsResponse: TSchema = Type.Object({
  webhook_events: Type.Array(WebhookEvent),
  pagination: Pagination,
  position: Type.Optional(Type.String()),
});

export const GetEventRequest: TSchema = Type.Object({
  id: Text({ maxLength: 100 }),
  fields: Type.Optional(Type.String()),
});

export const EventResponse: TSchema = Type.Object({
  webhook_event: WebhookEvent,
});

export const RetryEventRequest: TSchema = Type.Object({
  id: Text({ maxLength: 100 }),
});

export const ReplayEventRequest: TSchema = Type.Object({
  event_id: Text({ maxLength: 100 }),
});

export const ReplayEventResponse: TSchema = Type.Object({
  replayed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});
