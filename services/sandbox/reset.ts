// Resets a sandbox: its actors drop their state and its rows are deleted; production's catalogue may be copied.
import type { Tenant } from '#runtime/call/call.ts';
import { isContention, isLockWait, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { ResetRule } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { SandboxLease } from './lease.ts';
import { clearTable, copyTable } from './table/reset.ts';

const SHUT_MS_MAX = 5_000;
/** How often the snapshot is taken again because rows were written after it. */
const CLEARS_MAX = 8;
/** How often a lock is awaited: its owner may wait for a row that the clearing locks, and continues once that fails. */
const LOCK_WAITS_MAX = 3;

export interface ResetInput {
  readonly copy: boolean;
  readonly commandId: string;
  readonly lease: SandboxLease;
}

type ResetRuntime = Pick<Runtime, 'postgres' | 'actors' | 'domains' | 'notices' | 'clock' | 'log'>;

export const resetRules = (domains: Runtime['domains']): readonly (readonly [string, ResetRule])[] =>
  domains.flatMap(({ reset }) => Object.entries(reset?.tables ?? {}));

/** Drops the tenant's cached state on this host; the store's last, since it reads the others'. */
export const dropCachedState = async (
  { domains, log }: Pick<ResetRuntime, 'domains' | 'log'>,
  tenant: Tenant,
): Promise<void> => {
  for (const { name, reset } of domains.toReversed())
    try {
      await reset?.forget?.(tenant);
    } catch (problem) {
      log.warn({ err: problem, domain: name }, 'failed to drop a sandbox’s cached state');
    }
};

const clearTables = async (
  sql: Sql,
  tenant: Tenant,
  rules: readonly (readonly [string, ResetRule])[],
  copy: boolean,
) => {
  for (const [table, rule] of rules.toReversed())
    if (rule === 'cleared' || rule === 'copied' || (rule === 'replaced' && copy)) await clearTable(sql, tenant, table);
};

/** All or nothing, from one snapshot; no call runs in the sandbox meanwhile. */
export const resetSandbox = async (parts: ResetRuntime, tenant: Tenant, input: ResetInput): Promise<void> => {
  const { actors, domains } = parts;
  // The host holds calls back already; this excludes other hosts' calls and background tasks.
  await input.lease.shut(SHUT_MS_MAX);
  try {
    for (const { reset } of domains) reset?.discardPending?.(tenant);
    // Before the rows, which include the actors' last writes to Postgres.
    await actors.forget(tenant);
    for (const { reset } of domains) await reset?.quiesce?.(tenant);
    failpoint('shut', tenant.store);
    await clearWithRetries(parts, tenant, input);
  } catch (problem) {
    // Carts and holds are gone, other data is not: a retry of the command completes it.
    throw new UnknownOutcome('The reset did not complete. Retry with the same Idempotency-Key.', { cause: problem });
  }
};

/** Retries with a later snapshot: background work may commit in between. */
const clearWithRetries = async (parts: ResetRuntime, tenant: Tenant, input: ResetInput): Promise<void> => {
  for (let met = 0, waited = 0; ; )
    try {
      return await clearInTransaction(parts, tenant, input);
    } catch (problem) {
      const cause = problem instanceof Unavailable ? problem.cause : null;
      if (isContention(cause)) met++;
      else if (isLockWait(cause)) waited++;
      else throw problem;
      if (met === CLEARS_MAX || waited === LOCK_WAITS_MAX) throw problem;
    }
};

const clearInTransaction = async (
  parts: ResetRuntime,
  tenant: Tenant,
  { copy, commandId, lease }: ResetInput,
): Promise<void> => {
  const { postgres, domains, notices } = parts;
  const rules = resetRules(domains);
  await postgres.transaction(async (tx) => {
    // Shuts again at each attempt: the lease is not renewed while an attempt locks its row, and others may enter after a failed
    // one.
    await lease.shut(SHUT_MS_MAX);
    // Set first: production's catalogue is copied from one snapshot without blocking its writers.
    await tx.sql`set transaction isolation level repeatable read`;
    tx.afterCommit(async () => {
      await dropCachedState(parts, tenant);
      notices.publish({ kind: 'reset', tenant });
    });
    await lease.beginGeneration(tx, commandId);
    await clearTables(tx.sql, tenant, rules, copy);
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
