// SQL of delivery queues, one per endpoint. A queue's row says when its first delivery is due.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface DeliveryQueue {
  readonly store: string;
  readonly environment: Tenant['environment'];
  readonly endpoint: string;
}

export interface QueueDue extends DeliveryQueue {
  readonly at: Date;
}

const at = (sql: Sql, { store, environment }: Tenant, endpoint: string) =>
  sql`store = ${store} and environment = ${environment} and endpoint = ${endpoint}`;

export const insertQueue = async (sql: Sql, { store, environment }: Tenant, endpoint: string, paused: boolean) => {
  await sql`
    insert into webhook.queue (store, environment, endpoint, paused)
    values (${store}, ${environment}, ${endpoint}, ${paused})`;
};

export const pauseQueue = async (sql: Sql, tenant: Tenant, endpoint: string, paused: boolean): Promise<void> => {
  await sql`update webhook.queue set paused = ${paused} where ${at(sql, tenant, endpoint)}`;
};

export const deleteQueue = async (sql: Sql, tenant: Tenant, endpoint: string): Promise<void> => {
  await sql`delete from webhook.queue where ${at(sql, tenant, endpoint)}`;
};

/**
 * Makes each queue due at the given time at the latest. Locks even rows that stay unchanged: a process that is
 * rescheduling the queue may not see the new delivery, so this statement waits for that process and then decides.
 */
export const scheduleQueues = async (sql: Sql, dueQueues: readonly QueueDue[]): Promise<void> => {
  if (dueQueues.length === 0) return;
  await sql`
    with called as (
      select store, environment, endpoint, min(at) as at
      from unnest(
        ${dueQueues.map(({ store }) => store)}::uuid[], ${dueQueues.map(({ environment }) => environment)}::text[],
        ${dueQueues.map(({ endpoint }) => endpoint)}::uuid[], ${dueQueues.map(({ at }) => at.toISOString())}::timestamptz[]
      ) as call (store, environment, endpoint, at)
      group by store, environment, endpoint
    ), held as (
      select queue.store, queue.environment, queue.endpoint, called.at
      from webhook.queue as queue join called using (store, environment, endpoint)
      order by queue.store, queue.environment, queue.endpoint for update of queue
    )
    update webhook.queue as queue set ready_at = least(queue.ready_at, held.at)
    from held
    where (queue.store, queue.environment, queue.endpoint) = (held.store, held.environment, held.endpoint)`;
};

export const nextQueueDue = async (sql: Sql, until: Date): Promise<Date | null> => {
  const [row] = await sql<{ ready_at: Date }[]>`
    select ready_at from webhook.queue where not paused and ready_at <= ${until} order by ready_at limit 1`;
  return row?.ready_at ?? null;
};

/** Locks queues that are due by the real clock, or by the clocks of the given sandboxes. */
export const lockDueQueues = (
  sql: Sql,
  now: Date,
  moved: readonly { readonly tenant: Tenant; readonly now: Date }[],
  limit: number,
): Promise<DeliveryQueue[]> => {
  if (moved.length === 0)
    return sql<DeliveryQueue[]>`
      select store, environment, endpoint from webhook.queue
      where not paused and ready_at <= ${now} order by ready_at limit ${limit} for update skip locked`;
  return sql<DeliveryQueue[]>`
    select queue.store, queue.environment, queue.endpoint
    from unnest(
      ${moved.map(({ tenant }) => tenant.store)}::uuid[], ${moved.map(({ now }) => now.toISOString())}::timestamptz[]
    ) as moved (store, now)
    join webhook.queue as queue
      on queue.store = moved.store and queue.environment = 'sandbox' and not queue.paused and queue.ready_at <= moved.now
    order by queue.ready_at limit ${limit} for update of queue skip locked`;
};

export const lockQueues = (sql: Sql, queues: readonly DeliveryQueue[]): Promise<DeliveryQueue[]> =>
  sql<DeliveryQueue[]>`
    select queue.store, queue.environment, queue.endpoint
    from unnest(
      ${queues.map(({ store }) => store)}::uuid[], ${queues.map(({ environment }) => environment)}::text[],
      ${queues.map(({ endpoint }) => endpoint)}::uuid[]
    ) as named (store, environment, endpoint)
    join webhook.queue as queue using (store, environment, endpoint)
    where not queue.paused for update of queue skip locked`;

export interface QueueCheck extends DeliveryQueue {
  readonly now: Date;
  /** When the queue is checked again if more is due than its capacity allows. */
  readonly again: Date;
}

/** Sets each queue's due time to that of its first delivery. Returns the queues that still have due deliveries. */
export const rescheduleQueues = async (sql: Sql, checks: readonly QueueCheck[]): Promise<Set<string>> => {
  const rows = await sql<{ endpoint: string; more: boolean | null }[]>`
    update webhook.queue as queue set ready_at = case
      when next.due_at is null then 'infinity'::timestamptz
      when next.due_at <= look.now then look.again
      else next.due_at end
    from unnest(
      ${checks.map(({ store }) => store)}::uuid[], ${checks.map(({ environment }) => environment)}::text[],
      ${checks.map(({ endpoint }) => endpoint)}::uuid[], ${checks.map(({ now }) => now.toISOString())}::timestamptz[],
      ${checks.map(({ again }) => again.toISOString())}::timestamptz[]
    ) as look (store, environment, endpoint, now, again)
    cross join lateral (
      select min(due_at) as due_at from webhook.delivery as delivery
      where delivery.store = look.store and delivery.environment = look.environment
        and delivery.endpoint = look.endpoint and delivery.due_at is not null
    ) as next
    where (queue.store, queue.environment, queue.endpoint) = (look.store, look.environment, look.endpoint)
    returning queue.endpoint, next.due_at <= look.now as more`;
  return new Set(rows.filter(({ more }) => more).map(({ endpoint }) => endpoint));
};
