// SQL of decisions: the transaction that inserts the row of an attempt makes it an order.
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
    insert into orders.decision (store, environment, attempt, decided_at)
    select ${store}, ${environment}, attempt, ${now} from unnest(${attempts as string[]}::uuid[]) as attempt
    on conflict do nothing returning attempt`;
  if (made.length === attempts.length) return [];
  const ours = new Set(made.map(({ attempt }) => attempt));
  return attempts.filter((attempt) => !ours.has(attempt));
};

export interface TenantAttempt {
  readonly tenant: Tenant;
  readonly attempt: string;
}

/** Returns when the attempts became orders; null for those that are none. */
export const decisionTimesOf = async (sql: Sql, asked: readonly TenantAttempt[]): Promise<readonly (Date | null)[]> => {
  const rows = await sql<{ at: number; decided_at: Date }[]>`
    select asked.at, decided.decided_at
    from unnest(${asked.map((_, at) => at)}::integer[], ${asked.map(({ tenant }) => tenant.store)}::uuid[],
      ${asked.map(({ tenant }) => tenant.environment)}::text[], ${asked.map(({ attempt }) => attempt)}::uuid[]
    ) as asked (at, store, environment, attempt), lateral (
      select decided_at from orders.decision
      where store = asked.store and environment = asked.environment and attempt = asked.attempt limit 1
    ) as decided`;
  const times: (Date | null)[] = asked.map(() => null);
  for (const { at, decided_at } of rows) times[at] = decided_at;
  return times;
};

export const forgetDecisions = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from orders.decision where ctid = any(array(
      select ctid from orders.decision where decided_at < ${before} limit ${limit}))`;
  return gone.count;
};
