// SQL of lanes: when each endpoint's queue of deliveries is to be looked into.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface DeliveryLane {
  readonly store: string;
  readonly environment: Tenant['environment'];
  readonly endpoint: string;
}

/** A moment at which something in a lane is due, by its tenant's clock. */
export interface LaneCall extends DeliveryLane {
  readonly at: Date;
}

const at = (sql: Sql, { store, environment }: Tenant, endpoint: string) =>
  sql`store = ${store} and environment = ${environment} and endpoint = ${endpoint}`;

export const insertLane = async (sql: Sql, { store, environment }: Tenant, endpoint: string, paused: boolean) => {
  await sql`
    insert into webhook.lane (store, environment, endpoint, paused)
    values (${store}, ${environment}, ${endpoint}, ${paused})`;
};

export const pauseLane = async (sql: Sql, tenant: Tenant, endpoint: string, paused: boolean): Promise<void> => {
  await sql`update webhook.lane set paused = ${paused} where ${at(sql, tenant, endpoint)}`;
};

export const deleteLane = async (sql: Sql, tenant: Tenant, endpoint: string): Promise<void> => {
  await sql`delete from webhook.lane where ${at(sql, tenant, endpoint)}`;
};

/**
 * Has the lanes looked into by then. Each row is locked even where nothing changes: a process that looks into it now may not
 * see yet what it is called for, and decides afterwards.
 */
export const callLanes = async (sql: Sql, calls: readonly LaneCall[]): Promise<void> => {
  if (calls.length === 0) return;
  await sql`
    with called as (
      select store, environment, endpoint, min(at) as at
      from unnest(
        ${calls.map(({ store }) => store)}::uuid[], ${calls.map(({ environment }) => environment)}::text[],
        ${calls.map(({ endpoint }) => endpoint)}::uuid[], ${calls.map(({ at }) => at.toISOString())}::timestamptz[]
      ) as call (store, environment, endpoint, at)
      group by store, environment, endpoint
    ), held as (
      select lane.store, lane.environment, lane.endpoint, called.at
      from webhook.lane as lane join called using (store, environment, endpoint)
      order by lane.store, lane.environment, lane.endpoint for update of lane
    )
    update webhook.lane as lane set ready_at = least(lane.ready_at, held.at)
    from held
    where (lane.store, lane.environment, lane.endpoint) = (held.store, held.environment, held.endpoint)`;
};

/** Whether there is a lane to look into now by the real clock. */
export const anyLaneReady = async (sql: Sql, now: Date): Promise<boolean> => {
  const [row] = await sql<{ ready: boolean }[]>`
    select exists (select from webhook.lane where not paused and ready_at <= ${now}) as ready`;
  return row!.ready;
};

/** Lanes to look into now, each locked: those that are ready by the real clock, and by a moved sandbox's own. */
export const lockReadyLanes = (
  sql: Sql,
  now: Date,
  moved: readonly { readonly tenant: Tenant; readonly now: Date }[],
  limit: number,
): Promise<DeliveryLane[]> => {
  if (moved.length === 0)
    return sql<DeliveryLane[]>`
      select store, environment, endpoint from webhook.lane
      where not paused and ready_at <= ${now} order by ready_at limit ${limit} for update skip locked`;
  return sql<DeliveryLane[]>`
    select lane.store, lane.environment, lane.endpoint
    from unnest(
      ${moved.map(({ tenant }) => tenant.store)}::uuid[], ${moved.map(({ now }) => now.toISOString())}::timestamptz[]
    ) as moved (store, now)
    join webhook.lane as lane
      on lane.store = moved.store and lane.environment = 'sandbox' and not lane.paused and lane.ready_at <= moved.now
    order by lane.ready_at limit ${limit} for update of lane skip locked`;
};

/** The same for lanes by name. */
export const lockLanes = (sql: Sql, lanes: readonly DeliveryLane[]): Promise<DeliveryLane[]> =>
  sql<DeliveryLane[]>`
    select lane.store, lane.environment, lane.endpoint
    from unnest(
      ${lanes.map(({ store }) => store)}::uuid[], ${lanes.map(({ environment }) => environment)}::text[],
      ${lanes.map(({ endpoint }) => endpoint)}::uuid[]
    ) as named (store, environment, endpoint)
    join webhook.lane as lane using (store, environment, endpoint)
    where not lane.paused for update of lane skip locked`;

export interface Look extends DeliveryLane {
  readonly now: Date;
  /** When to look again where more is due than can be taken. */
  readonly again: Date;
}

/** Lanes that were looked into are next looked into when their first delivery is due. Those with more due already. */
export const settleLanes = async (sql: Sql, looks: readonly Look[]): Promise<Set<string>> => {
  const rows = await sql<{ endpoint: string; more: boolean | null }[]>`
    update webhook.lane as lane set ready_at = case
      when next.due_at is null then 'infinity'::timestamptz
      when next.due_at <= look.now then look.again
      else next.due_at end
    from unnest(
      ${looks.map(({ store }) => store)}::uuid[], ${looks.map(({ environment }) => environment)}::text[],
      ${looks.map(({ endpoint }) => endpoint)}::uuid[], ${looks.map(({ now }) => now.toISOString())}::timestamptz[],
      ${looks.map(({ again }) => again.toISOString())}::timestamptz[]
    ) as look (store, environment, endpoint, now, again)
    cross join lateral (
      select min(due_at) as due_at from webhook.delivery as delivery
      where delivery.store = look.store and delivery.environment = look.environment
        and delivery.endpoint = look.endpoint and delivery.due_at is not null
    ) as next
    where (lane.store, lane.environment, lane.endpoint) = (look.store, look.environment, look.endpoint)
    returning lane.endpoint, next.due_at <= look.now as more`;
  return new Set(rows.filter(({ more }) => more).map(({ endpoint }) => endpoint));
};
