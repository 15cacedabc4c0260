// SQL of decisions: the first transaction that inserts a row for an attempt decides whether the attempt becomes an
// order.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/**
 * Decides that the attempts become orders. Returns those decided before, after waiting for any transaction that is
 * deciding one of them.
 */
export const commitAttempts = async (
  sql: Sql,
  { store, environment }: Tenant,
  attempts: readonly string[],
  now: Date,
): Promise<readonly string[]> => {
  const made = await sql<{ attempt: string }[]>`
    insert into orders.decision (store, environment, attempt, committed, decided_at)
    select ${store}, ${environment}, attempt, true, ${now} from unnest(${attempts as string[]}::uuid[]) as attempt
    on conflict do nothing returning attempt`;
  if (made.length === attempts.length) return [];
  const ours = new Set(made.map(({ attempt }) => attempt));
  return attempts.filter((attempt) => !ours.has(attempt));
};

/** Decides that the attempt never becomes an order, unless it already has. Returns whether it has. */
export const abortAttempt = async (
  sql: Sql,
  { store, environment }: Tenant,
  attempt: string,
  now: Date,
): Promise<boolean> => {
  const made = await sql`
    insert into orders.decision (store, environment, attempt, committed, decided_at)
    values (${store}, ${environment}, ${attempt}, false, ${now}) on conflict do nothing`;
  if (made.count === 1) return false;
  const [found] = await sql<{ committed: boolean }[]>`
    select committed from orders.decision
    where store = ${store} and environment = ${environment} and attempt = ${attempt}`;
  return found?.committed === true;
};

export interface OrderDecision {
  /** True: the attempt placed an order. False: it never will. */
  readonly committed: boolean;
  readonly decided_at: Date;
}

export interface TenantAttempt {
  readonly tenant: Tenant;
  readonly attempt: string;
}

export const decisionsOf = async (
  sql: Sql,
  asked: readonly TenantAttempt[],
): Promise<readonly (OrderDecision | null)[]> => {
  const rows = await sql<({ at: number } & OrderDecision)[]>`
    select asked.at, decided.*
    from unnest(${asked.map((_, at) => at)}::integer[], ${asked.map(({ tenant }) => tenant.store)}::uuid[],
      ${asked.map(({ tenant }) => tenant.environment)}::text[], ${asked.map(({ attempt }) => attempt)}::uuid[]
    ) as asked (at, store, environment, attempt), lateral (
      select committed, decided_at from orders.decision
      where store = asked.store and environment = asked.environment and attempt = asked.attempt limit 1
    ) as decided`;
  const decisions: (OrderDecision | null)[] = asked.map(() => null);
  for (const { at, ...decision } of rows) decisions[at] = decision;
  return decisions;
};

export const forgetDecisions = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from orders.decision where ctid = any(array(
      select ctid from orders.decision where decided_at < ${before} limit ${limit}))`;
  return gone.count;
};
