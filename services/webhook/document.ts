// API documents of webhook endpoints and logged events, and the types of events that an endpoint can subscribe to.
import type { EventEnvelope } from '#proto/gen/event.ts';
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';
import type { ListedEndpoint, WebhookEndpoint, WebhookEvent } from '#proto/gen/webhook.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type DeliveryRecord, deliveriesOf } from './table/delivery.ts';
import type { EndpointRecord } from './table/endpoint.ts';
import type { EventRecord } from './table/event.ts';

export const ALL_EVENTS = '*';

/** Excludes events that only Stoa's own domains consume. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTypes, type);

export const exampleObject = (type: EventType): Readonly<Record<string, unknown>> => eventTypes[type].example;

type PublicEndpoint = Omit<EndpointRecord, 'secret' | 'previous_secret' | 'previous_until'>;

export const endpointDocument = ({
  id,
  url,
  description,
  events,
  enabled,
  format,
  created_at,
  updated_at,
}: PublicEndpoint) =>
  ({
    id,
    url,
    description,
    events,
    enabled,
    format,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }) satisfies WebhookEndpoint;

/** Omits the URL and the description, which a publishable key may not see. */
export const publishableEndpointDocument = ({ id, events, enabled }: PublicEndpoint) =>
  ({ id, events, enabled }) satisfies ListedEndpoint;

const deliveryDocument = ({ endpoint, next_attempt_at: next, ...delivery }: DeliveryRecord) => ({
  endpoint_id: endpoint,
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.response_status,
  next_attempt_at: next?.toISOString() ?? null,
  attempt_log: delivery.attempt_log,
});

export const eventDocuments = async (
  sql: Sql,
  tenant: Tenant,
  events: readonly EventRecord[],
): Promise<WebhookEvent[]> => {
  if (events.length === 0) return [];
  const deliveries = Map.groupBy(
    await deliveriesOf(
      sql,
      tenant,
      events.map(({ id }) => id),
    ),
    ({ event }) => event,
  );
  return events.map(({ id, payload }) => ({
    ...(JSON.parse(payload) as EventEnvelope),
    deliveries: (deliveries.get(id) ?? []).map(deliveryDocument),
  }));
};
