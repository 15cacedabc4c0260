// A sandbox begins anew: its actors forget, its rows go, production's catalogue may take their place.
import type { Tenant } from '#runtime/call/call.ts';
import { isContention, isLockWait, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { ResetRule } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { SandboxLease } from './lease.ts';
import { clearTable, copyTable } from './table/reset.ts';

/** How long background work may take to end what it has begun. */
const SHUT_MS_MAX = 5_000;
/** How often it is cleared as of one moment, where rows were written after that. */
const CLEARS_MAX = 8;
/** How often a lock is waited for anew: its owner may wait for a row that the clearing holds, and goes on once it has ended. */
const LOCK_WAITS_MAX = 3;

export interface ResetWish {
  readonly copy: boolean;
  /** The call's: what was done under it is not done again. */
  readonly commandId: string;
  readonly lease: SandboxLease;
}

type Parts = Pick<Runtime, 'postgres' | 'actors' | 'domains' | 'notices' | 'clock' | 'log'>;

/** Every table with rows of tenants, parents first, and what becomes of it. */
export const rulesOf = (domains: Runtime['domains']): readonly (readonly [string, ResetRule])[] =>
  domains.flatMap(({ reset }) => Object.entries(reset?.tables ?? {}));

/** On this host. The store comes last, which looks at what the others have. */
export const forgetAll = async ({ domains, log }: Pick<Parts, 'domains' | 'log'>, tenant: Tenant): Promise<void> => {
  for (const { name, reset } of domains.toReversed())
    try {
      await reset?.forget?.(tenant);
    } catch (problem) {
      log.warn({ err: problem, domain: name }, 'a domain did not forget a sandbox');
    }
};

const clear = async (sql: Sql, tenant: Tenant, rules: readonly (readonly [string, ResetRule])[], copy: boolean) => {
  for (const [table, rule] of rules.toReversed())
    if (rule === 'cleared' || rule === 'copied' || (rule === 'replaced' && copy)) await clearTable(sql, tenant, table);
};

/** All of it or nothing, as of one moment; no call is in the sandbox meanwhile. */
export const beginAnew = async (parts: Parts, tenant: Tenant, wish: ResetWish): Promise<void> => {
  const { actors, domains } = parts;
  // The host keeps calls out by now; this keeps out other hosts' calls and the work of background tasks.
  await wish.lease.shut(SHUT_MS_MAX);
  try {
    for (const { reset } of domains) reset?.discardPending?.(tenant);
    // Before the rows: what actors told Postgres last goes with them.
    await actors.forget(tenant);
    for (const { reset } of domains) await reset?.quiesce?.(tenant);
    failpoint('shut', tenant.store);
    await cleared(parts, tenant, wish);
  } catch (problem) {
    // Carts and holds are gone, the rest is not: the same command ends it.
    throw new UnknownOutcome('The sandbox is not wholly reset.', { cause: problem });
  }
};

/** Work that tells nothing is kept out by no host: what it commits meanwhile is cleared as of a later moment. */
const cleared = async (parts: Parts, tenant: Tenant, wish: ResetWish): Promise<void> => {
  for (let met = 0, waited = 0; ; )
    try {
      return await clearAll(parts, tenant, wish);
    } catch (problem) {
      const cause = problem instanceof Unavailable ? problem.cause : null;
      if (isContention(cause)) met++;
      else if (isLockWait(cause)) waited++;
      else throw problem;
      if (met === CLEARS_MAX || waited === LOCK_WAITS_MAX) throw problem;
    }
};

const clearAll = async (parts: Parts, tenant: Tenant, { copy, commandId, lease }: ResetWish): Promise<void> => {
  const { postgres, domains, notices } = parts;
  const rules = rulesOf(domains);
  await postgres.transaction(async (tx) => {
    // Each attempt anew: the lease is not renewed while an attempt locks the row, and others may have come in after it.
    await lease.shut(SHUT_MS_MAX);
    // First of all: production's catalogue is copied as of one moment, and no writer of it waits for that.
    await tx.sql`set transaction isolation level repeatable read`;
    tx.afterCommit(async () => {
      await forgetAll(parts, tenant);
      notices.publish({ kind: 'reset', tenant });
    });
    await lease.beginGeneration(tx, commandId);
    await clear(tx.sql, tenant, rules, copy);
    if (copy)
      for (const { reset } of domains)
        for (const [table, rule] of Object.entries(reset?.tables ?? {}))
          if (rule === 'copied' || rule === 'replaced')
            await copyTable(tx.sql, tenant, table, reset?.replacements?.[table] ?? {});
    for (const { reset } of domains) await reset?.settle?.(tx, tenant, copy);
    failpoint('clear', tenant.store);
    await lease.extend(tx);
  });
};
