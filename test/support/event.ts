// Reads a test's events: unsent ones in the outbox, those in the log, and one at a time those that the bus publishes from now on.
import type { EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { unpackEvents } from '#runtime/event/batch.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** The envelopes in the outbox, in their order, where no process takes them away. */
export const outboxEvents = async (sql: Sql, tenant: Partial<Tenant> = {}): Promise<EventEnvelope[]> => {
  const { store = null, environment = null } = tenant;
  const rows = await sql<{ payload: string }[]>`
    select draft || ',"sequence":' || place || '}' as payload
    from runtime.outbox
    cross join lateral rows from (string_to_table(drafts, chr(10)), unnest(positions)) as event (draft, place)
    where store = coalesce(${store}::uuid, store) and environment = coalesce(${environment}::text, environment)
    order by place`;
  return rows.map(({ payload }) => JSON.parse(payload));
};

/** The event as the log has it. */
export const loggedEvent = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<EventEnvelope | null> => {
  const [row] = await sql<{ payload: string }[]>`
    select payload from runtime.event where store = ${store} and environment = ${environment} and id = ${id}`;
  return row ? JSON.parse(row.payload) : null;
};

interface EventSource {
  readonly bus: Bus;
  readonly namespace: string;
  readonly postgres: Postgres;
}

/** Returns how to stop. */
export const subscribeEvents = (
  { bus, namespace, postgres }: EventSource,
  onEvent: (event: EventEnvelope, tenant: Tenant) => void,
): (() => void) => {
  let delivered: Promise<void> = Promise.resolve();
  return bus.subscribe(`${namespace}.event.>`, (message) => {
    for (const head of unpackEvents(message)) {
      if (!head) continue;
      // A test may end while its last events are looked up.
      const event = loggedEvent(postgres.sql, head.tenant, head.id).catch(() => null);
      delivered = delivered.then(async () => {
        const found = await event;
        if (found) onEvent(found, head.tenant);
      });
    }
  });
};
/** An event that no domain tells. */
export const anyEvent = (type: string, object: object, previousAttributes?: Record<string, unknown>): Event => {
  const event: { type: EventType; object: object; previousAttributes?: Record<string, unknown> } = {
    type: type as EventType,
    object,
    ...(previousAttributes && { previousAttributes }),
  };
  return event as Event;
};

/** An event's object with its fields by name, untyped. */
export const untyped = (object: object): Record<string, unknown> => object as Record<string, unknown>;
