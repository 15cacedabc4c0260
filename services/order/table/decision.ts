// SQL of decisions: the first to decide an attempt at an order has decided it.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';

/**
 * Decides for an order, within its own transaction. False: somebody decided before, for another order or against any.
 * Waits for a transaction that is deciding it.
 */
export const commitAttempts = async (
  sql: Sql,
  { store, environment }: Tenant,
  attempts: readonly string[],
  now: Date,
): Promise<boolean> => {
  const made = await sql`
    insert into orders.decision (store, environment, attempt, committed, decided_at)
    select ${store}, ${environment}, attempt, true, ${now} from unnest(${attempts as string[]}::uuid[]) as attempt
    on conflict do nothing`;
  return made.count === attempts.length;
};

/** Decides against it unless somebody decided for it; whether somebody did. */
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

export interface Decision {
  /** For an order; else against any. */
  readonly committed: boolean;
  /** By the tenant's clock. */
  readonly decided_at: Date;
}

/** Attempts of one call. */
export interface Attempts {
  readonly tenant: Tenant;
  readonly attempts: readonly string[];
}

/** What was decided about each call's attempts, where anything was. */
export const decisionsOf = async (
  sql: Sql,
  calls: readonly Attempts[],
): Promise<readonly ReadonlyMap<string, Decision>[]> => {
  const each = calls.flatMap(({ tenant, attempts }, call) => attempts.map((attempt) => ({ ...tenant, attempt, call })));
  const rows = await sql<({ call: number; attempt: string } & Decision)[]>`
    select asked.call, decided.*
    from unnest(${each.map(({ call }) => call)}::integer[], ${each.map(({ store }) => store)}::uuid[],
      ${each.map(({ environment }) => environment)}::text[], ${each.map(({ attempt }) => attempt)}::uuid[]
    ) as asked (call, store, environment, attempt), lateral (
      select attempt, committed, decided_at from orders.decision
      where store = asked.store and environment = asked.environment and attempt = asked.attempt limit 1
    ) as decided`;
  const decisions = calls.map(() => new Map<string, Decision>());
  for (const { call, ...decision } of rows) decisions[call]!.set(decision.attempt, decision);
  return decisions;
};
