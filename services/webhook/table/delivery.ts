// SQL of deliveries: creates them for an event, claims due ones for a process, and records the outcomes.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { EndpointFormat } from './endpoint.ts';
import type { DeliveryQueue, QueueDue } from './queue.ts';

export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'dead_lettered';

export interface AttemptRecord {
  readonly attempted_at: string;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface DeliveryRecord {
  readonly event: string;
  readonly endpoint: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: Date | null;
  readonly attempt_log: readonly AttemptRecord[];
}

const ATTEMPTS_STORED = 20;

export const deliveriesOf = (
  sql: Sql,
  { store, environment }: Tenant,
  events: readonly string[],
): Promise<DeliveryRecord[]> =>
  sql<DeliveryRecord[]>`
    select event, endpoint, status, attempts, response_status, next_attempt_at, attempt_log from webhook.delivery
    where store = ${store} and environment = ${environment} and event = any(${events as string[]}::text[])
    order by endpoint`;

export const countDeliveries = async (
  sql: Sql,
  { store, environment }: Tenant,
  endpoint: string,
): Promise<Record<DeliveryStatus, number>> => {
  const rows = await sql<{ status: DeliveryStatus; deliveries: number }[]>`
    select status, count(*)::integer as deliveries from webhook.delivery
    where store = ${store} and environment = ${environment} and endpoint = ${endpoint} group by status`;
  const counts = { pending: 0, retrying: 0, delivered: 0, dead_lettered: 0 };
  for (const { status, deliveries } of rows) counts[status] = deliveries;
  return counts;
};

export interface DeliveredEvent extends Tenant {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly at: Date;
}

/**
 * Whether the endpoint receives the event. Endpoints in a platform's format receive only orders of assistants'
 * checkouts. If the platform registered itself (`found_at`), it receives only orders of checkouts that it follows. JSON
 * escapes quotes, so no text of a caller can match the pattern.
 */
const isSubscribed = (sql: Sql, type: ReturnType<Sql>, payload: ReturnType<Sql>) => sql`
  case
    when endpoint.format = 'stoa' then true
    when ${type} not like 'order.%' or ${payload} not like '%"checkout_intent_id":"%' then false
    when endpoint.found_at is null then true
    else exists (
      select from webhook.followed_checkout as followed
      where followed.store = endpoint.store and followed.environment = endpoint.environment
        and followed.endpoint = endpoint.id
        and followed.checkout_intent = (${payload}::json #>> '{data,object,checkout_intent_id}')::uuid)
  end`;

/** Creates a delivery for each subscribed endpoint. Returns when each delivery's queue is due. */
export const createDeliveries = (sql: Sql, events: readonly DeliveredEvent[]): Promise<QueueDue[]> =>
  sql<QueueDue[]>`
    insert into webhook.delivery (store, environment, event, endpoint, sequence, status, next_attempt_at, due_at)
    select event.store, event.environment, event.id, endpoint.id, event.sequence, 'pending', event.at, event.at
    from unnest(
      ${events.map(({ store }) => store)}::uuid[], ${events.map(({ environment }) => environment)}::text[],
      ${events.map(({ id }) => id)}::text[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ sequence }) => sequence)}::bigint[], ${events.map(({ at }) => at.toISOString())}::timestamptz[]
    ) as event (store, environment, id, type, sequence, at)
    join webhook.endpoint as endpoint
      on endpoint.store = event.store and endpoint.environment = event.environment and endpoint.deleted_at is null
        and endpoint.enabled and endpoint.events && array[event.type, '*']
    cross join lateral (
      select payload from runtime.event as logged
      where logged.store = event.store and logged.environment = event.environment and logged.id = event.id limit 1
    ) as logged
    where ${isSubscribed(sql, sql`event.type`, sql`logged.payload`)}
    on conflict do nothing
    returning store, environment, endpoint, due_at as at`;

export const restartDeliveries = (sql: Sql, event: DeliveredEvent): Promise<QueueDue[]> =>
  sql<QueueDue[]>`
    insert into webhook.delivery as delivery
      (store, environment, event, endpoint, sequence, status, next_attempt_at, due_at)
    select ${event.store}, ${event.environment}, ${event.id}, id, ${event.sequence}, 'pending', ${event.at}, ${event.at}
    from webhook.endpoint as endpoint
    where store = ${event.store} and environment = ${event.environment} and deleted_at is null and enabled
      and events && array[${event.type}::text, '*'] and ${isSubscribed(
        sql,
        sql`${event.type}::text`,
        sql`(select payload from runtime.event where store = ${event.store} and environment = ${event.environment} and id = ${event.id} limit 1)`,
      )}
    on conflict (store, environment, event, endpoint) do update
      set status = 'pending', step = 0, next_attempt_at = excluded.next_attempt_at, due_at = excluded.due_at, worker = null
    returning store, environment, endpoint, due_at as at`;

/** Restarts the retry schedule of deliveries that have not succeeded; leaves out those being attempted. */
export const retryDeliveries = (sql: Sql, { store, environment }: Tenant, event: string, now: Date) =>
  sql<QueueDue[]>`
    update webhook.delivery as delivery
    set status = case when attempts = 0 then 'pending' else 'retrying' end, step = 0, next_attempt_at = ${now},
      due_at = ${now}
    where store = ${store} and environment = ${environment} and event = ${event} and status <> 'delivered'
      and worker is null and exists (
        select from webhook.endpoint
        where store = delivery.store and environment = delivery.environment and id = delivery.endpoint
          and deleted_at is null)
    returning store, environment, endpoint, due_at as at`;

export interface DeliveryClaim extends DeliveryQueue {
  readonly event: string;
  readonly step: number;
  readonly sequence: number;
  readonly at: Date;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly previous_secret: Uint8Array | null;
  readonly previous_until: Date | null;
  readonly format: EndpointFormat;
  readonly found_at: string | null;
  readonly payload: string;
}

export interface DeliveryQuery extends DeliveryQueue {
  readonly capacity: number;
  readonly now: Date;
  readonly lease: Date;
}

/** Claims due deliveries of the given queues, oldest first, up to each queue's capacity. */
export const claimDue = (sql: Sql, worker: string, checks: readonly DeliveryQuery[]): Promise<DeliveryClaim[]> =>
  sql<DeliveryClaim[]>`
    with due as (
      select delivery.store, delivery.environment, delivery.event, delivery.endpoint, want.lease,
        coalesce(delivery.next_attempt_at, delivery.due_at) as at
      from unnest(
        ${checks.map(({ store }) => store)}::uuid[], ${checks.map(({ environment }) => environment)}::text[],
        ${checks.map(({ endpoint }) => endpoint)}::uuid[], ${checks.map(({ capacity }) => capacity)}::integer[],
        ${checks.map(({ now }) => now.toISOString())}::timestamptz[],
        ${checks.map(({ lease }) => lease.toISOString())}::timestamptz[]
      ) as want (store, environment, endpoint, capacity, now, lease)
      cross join lateral (
        select * from webhook.delivery as delivery
        where delivery.store = want.store and delivery.environment = want.environment
          and delivery.endpoint = want.endpoint and delivery.due_at <= want.now
        order by delivery.due_at, delivery.sequence limit want.capacity for update skip locked
      ) as delivery
    )
    ${claimRows(sql, worker)}`;

/** Claims a tenant's first due deliveries in order of time, except those that another worker is attempting. */
export const claimFirstDue = async (
  sql: Sql,
  worker: string,
  { store, environment }: Tenant,
  { until, lease, limit }: { readonly until: Date; readonly lease: Date; readonly limit: number },
): Promise<DeliveryClaim[]> => {
  const claims = await sql<DeliveryClaim[]>`
    with due as (
      select queue.store, queue.environment, queue.endpoint, waiting.event, waiting.due_at as at,
        ${lease}::timestamptz as lease
      from webhook.queue as queue
      cross join lateral (
        select event, due_at, sequence from webhook.delivery as delivery
        where delivery.store = queue.store and delivery.environment = queue.environment
          and delivery.endpoint = queue.endpoint and delivery.due_at <= ${until} and delivery.worker is null
        order by due_at, sequence limit ${limit}
      ) as waiting
      where queue.store = ${store} and queue.environment = ${environment} and not queue.paused
      order by waiting.due_at, waiting.sequence, queue.endpoint limit ${limit}
    )
    ${claimRows(sql, worker)}`;
  return claims.sort((a, b) => a.at.getTime() - b.at.getTime() || a.sequence - b.sequence);
};

const claimRows = (sql: Sql, worker: string) => sql`
  update webhook.delivery as delivery set due_at = due.lease, worker = ${worker}
  from due
  cross join lateral (
    select * from webhook.endpoint
    where store = due.store and environment = due.environment and id = due.endpoint limit 1
  ) as endpoint
  cross join lateral (
    select payload from runtime.event where store = due.store and environment = due.environment and id = due.event limit 1
  ) as event
  where delivery.store = due.store and delivery.environment = due.environment and delivery.event = due.event
    and delivery.endpoint = due.endpoint
  returning delivery.store, delivery.environment, delivery.endpoint, delivery.event, delivery.step,
    delivery.sequence, due.at, endpoint.url, endpoint.secret, endpoint.previous_secret, endpoint.previous_until,
    endpoint.format, endpoint.found_at, event.payload`;

export const firstUnclaimedDue = async (
  sql: Sql,
  { store, environment }: Tenant,
  until: Date,
): Promise<Date | null> => {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(delivery.due_at) as at from webhook.queue as queue
    join webhook.delivery as delivery using (store, environment, endpoint)
    where queue.store = ${store} and queue.environment = ${environment} and not queue.paused
      and delivery.due_at <= ${until} and delivery.worker is null`;
  return row?.at ?? null;
};

export interface DeliveryOutcome extends DeliveryQueue {
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly step: number;
  readonly next: Date | null;
  readonly attempt: AttemptRecord;
}

export const saveOutcomes = async (sql: Sql, worker: string, outcomes: readonly DeliveryOutcome[]): Promise<void> => {
  await sql`
    update webhook.delivery as delivery set
      status = outcome.status, attempts = delivery.attempts + 1, step = outcome.step,
      response_status = outcome.response_status, next_attempt_at = outcome.next, due_at = outcome.next, worker = null,
      attempt_log = case when jsonb_array_length(delivery.attempt_log) < ${ATTEMPTS_STORED} then delivery.attempt_log
        else delivery.attempt_log - 0 end || outcome.attempt::jsonb
    from unnest(
      ${outcomes.map(({ store }) => store)}::uuid[], ${outcomes.map(({ environment }) => environment)}::text[],
      ${outcomes.map(({ event }) => event)}::text[], ${outcomes.map(({ endpoint }) => endpoint)}::uuid[],
      ${outcomes.map(({ status }) => status)}::text[], ${outcomes.map(({ step }) => step)}::integer[],
      ${outcomes.map(({ attempt }) => attempt.response_status)}::integer[],
      ${outcomes.map(({ next }) => next?.toISOString() ?? null)}::timestamptz[],
      ${outcomes.map(({ attempt }) => JSON.stringify(attempt))}::text[]
    ) as outcome (store, environment, event, endpoint, status, step, response_status, next, attempt)
    where delivery.store = outcome.store and delivery.environment = outcome.environment
      and delivery.event = outcome.event and delivery.endpoint = outcome.endpoint and delivery.worker = ${worker}`;
};

export const releaseClaims = (
  sql: Sql,
  worker: string,
  claims: readonly Pick<DeliveryClaim, keyof DeliveryQueue | 'event'>[],
) =>
  sql<QueueDue[]>`
    update webhook.delivery as delivery set worker = null, due_at = delivery.next_attempt_at
    from unnest(
      ${claims.map(({ store }) => store)}::uuid[], ${claims.map(({ environment }) => environment)}::text[],
      ${claims.map(({ event }) => event)}::text[], ${claims.map(({ endpoint }) => endpoint)}::uuid[]
    ) as claim (store, environment, event, endpoint)
    where delivery.store = claim.store and delivery.environment = claim.environment
      and delivery.event = claim.event and delivery.endpoint = claim.endpoint and delivery.worker = ${worker}
    returning delivery.store, delivery.environment, delivery.endpoint, delivery.due_at as at`;

export const giveUpDeleted = async (sql: Sql, limit: number): Promise<number> => {
  const { count } = await sql`
    update webhook.delivery set status = 'dead_lettered', next_attempt_at = null, due_at = null, worker = null
    where ctid in (
      select delivery.ctid from webhook.endpoint as endpoint
      join webhook.delivery as delivery
        on delivery.store = endpoint.store and delivery.environment = endpoint.environment
          and delivery.endpoint = endpoint.id and delivery.due_at is not null
      where endpoint.deleted_at is not null limit ${limit})`;
  return count;
};
