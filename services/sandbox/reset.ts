// Resets a sandbox: its actors drop their state and its rows are deleted. Optionally copies production's catalogue into
// it.
import type { Tenant } from '#runtime/call/call.ts';
import { isContention, isLockWait, Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { ResetRule } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { SandboxLease } from './lease.ts';
import { clearTable, copyTable } from './table/reset.ts';

const SHUT_MS_MAX = 5_000;
/** Retries with a new snapshot after other writers committed rows that the snapshot lacks. */
const CLEARS_MAX = 8;
/**
 * Retries after a lock time-out: the lock's owner may itself wait for a row that this transaction has locked, and
 * continues once the transaction has failed.
 */
const LOCK_WAITS_MAX = 3;

export interface ResetInput {
  readonly copy: boolean;
  readonly commandId: string;
  readonly lease: SandboxLease;
}

type ResetRuntime = Pick<Runtime, 'postgres' | 'actors' | 'domains' | 'notices' | 'clock' | 'log'>;

export const resetRules = (domains: Runtime['domains']): readonly (readonly [string, ResetRule])[] =>
  domains.flatMap(({ reset }) => Object.entries(reset?.tables ?? {}));

/** Drops the tenant's cached state on this host: the store domain's last, because it reads the others'. */
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

/** Clears all tables in one transaction, from one snapshot. No other call runs in the sandbox meanwhile. */
export const resetSandbox = async (parts: ResetRuntime, tenant: Tenant, input: ResetInput): Promise<void> => {
  const { actors, domains } = parts;
  // This host already holds back calls to the sandbox; the lease also blocks other hosts and background tasks.
  await input.lease.shut(SHUT_MS_MAX);
  try {
    for (const { reset } of domains) reset?.discardPending?.(tenant);
    // Actors are cleared before the rows, which then include their last projected state.
    await actors.forget(tenant);
    for (const { reset } of domains) await reset?.quiesce?.(tenant);
    failpoint('shut', tenant.store);
    await clearWithRetries(parts, tenant, input);
  } catch (problem) {
    // Carts and holds are already deleted; a retry of the command completes the reset.
    throw new UnknownOutcome('The reset did not complete. Retry with the same Idempotency-Key.', { cause: problem });
  }
};

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
    // Called in every try of this transaction, because a try locks the lease's row. The lease then cannot be renewed
    // and may expire, so that other calls may write before the next try.
    await lease.shut(SHUT_MS_MAX);
    // Must be the transaction's first statement. Production's catalogue is then read from one snapshot, without
    // blocking its writers.
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
