// How endpoints and events of the log are shown.
import type { EventEnvelope } from '#proto/gen/event.ts';
import type { ListedEndpoint, WebhookEndpoint, WebhookEvent } from '#proto/gen/webhook.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type DeliveryRecord, deliveriesOf } from './table/delivery.ts';
import type { EndpointRecord } from './table/endpoint.ts';
import type { EventRecord } from './table/event.ts';

type Shown = Omit<EndpointRecord, 'secret' | 'previous_secret' | 'previous_until'>;

export const shownEndpoint = ({ id, url, description, events, enabled, format, created_at, updated_at }: Shown) =>
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

/** What a key sees that may be public: neither where the store's own servers are nor what they are for. */
export const openEndpoint = ({ id, events, enabled }: Shown) => ({ id, events, enabled }) satisfies ListedEndpoint;

const shownDelivery = ({ endpoint, next_attempt_at: next, ...delivery }: DeliveryRecord) => ({
  endpoint_id: endpoint,
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.response_status,
  next_attempt_at: next?.toISOString() ?? null,
  attempt_log: delivery.attempt_log,
});

/** The envelopes as they were sent, each with what became of it. */
export const shownEvents = async (
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
    deliveries: (deliveries.get(id) ?? []).map(shownDelivery),
  }));
};
