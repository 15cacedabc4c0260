// Erases persons: a job runs the rules of every domain. A killed job starts again; rules pass over erased rows, and the ids by
// which logs are searched are stored with each step.
import type { Tenant } from '#runtime/call/call.ts';
import type { Person, RowErasure } from '#runtime/domain/personal_data.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Claim, JobRow } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import { isLoggedUpTo, lastUnlogged } from '#runtime/postgres/outbox_row.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { emailsWithoutAccount } from '#services/customer/transaction.ts';
import { addToPerson, completeErasure, ERASURE_JOBS, lockPerson } from './table/erasure.ts';

interface ErasureJob extends JobRow {
  readonly id: string;
}

type ErasureRuntime = Pick<Runtime, 'postgres' | 'clock' | 'domains' | 'notices'>;

const LEASE_MS = 10_000;
const RETRY_MS = [500, 2_000, 10_000, 60_000] as const;
/** Records lead to records of other domains, as orders to their payments: no chain of them is longer. */
const ROUNDS_MAX = 6;
const LOG_WAIT_MS = 5_000;
const LOOK_MS = 50;
const NOTICE_MS = 2_000;

export const ERASURE_JOB = 'privacy_erasure';

/** Runs one slice of a rule, and stores the ids that it found. Returns the position of the next slice; null: there is none. */
const eraseSlice = (
  { postgres }: ErasureRuntime,
  tenant: Tenant,
  id: string,
  rule: RowErasure,
  after: string | null,
): Promise<{ readonly next: string | null; readonly found: boolean }> =>
  postgres.transaction(async (tx) => {
    const known = await lockPerson(tx.sql, tenant, id);
    if (known === null) return { next: null, found: false };
    const person: Person = { tenant, id, ...known };
    const { ids, emails = [], next } = await rule.erase(tx, person, after);
    const newEmails = emails.filter((each) => !known.emails.includes(each));
    const fresh = {
      ids: ids.filter((each) => !known.ids.includes(each)),
      // An address of another customer, to whom the person had something sent, is not the person's.
      emails: newEmails.length === 0 ? [] : await emailsWithoutAccount(tx, tenant, newEmails),
    };
    const found = fresh.ids.length > 0 || fresh.emails.length > 0;
    if (found) await addToPerson(tx.sql, tenant, id, fresh);
    return { next, found };
  }, tenant);

const eraseRows = async (
  runtime: ErasureRuntime,
  tenant: Tenant,
  id: string,
  rule: RowErasure,
  { stopping }: Claim,
): Promise<boolean> => {
  let found = false;
  for (let after: string | null = null; !stopping(); ) {
    const slice = await eraseSlice(runtime, tenant, id, rule, after);
    failpoint(rule.stage === 'trace' ? 'erase_trace' : 'erase', tenant.store);
    found ||= slice.found;
    after = slice.next;
    if (after === null) break;
  }
  return found;
};

/** Waits until events of the records are in the log, where the rules of traces find them. Returns false if they are not. */
const waitForLog = async ({ postgres }: ErasureRuntime, tenant: Tenant, { stopping }: Claim): Promise<boolean> => {
  const last = await lastUnlogged(postgres.sql, tenant);
  const until = performance.now() + LOG_WAIT_MS;
  while (last !== null && !(await isLoggedUpTo(postgres.sql, tenant, last))) {
    if (stopping() || performance.now() >= until) return false;
    await Bun.sleep(LOOK_MS);
  }
  return true;
};

export const erasureJob = (runtime: ErasureRuntime): DeclaredJob =>
  job<ErasureJob>({
    name: ERASURE_JOB,
    rows: ERASURE_JOBS,
    clock: 'real',
    leaseMs: LEASE_MS,
    atOnce: 2,
    perTenant: 1,
    retryMs: RETRY_MS,
    run: async ({ store, environment, id }, claim) => {
      const tenant = { store, environment };
      const rules = runtime.domains.flatMap(({ erasures }) => erasures ?? []);
      for (const rule of rules) if (rule.stage === 'actor') await rule.erase({ tenant, id, emails: [], ids: [] });
      const rows = rules.filter((rule): rule is RowErasure => rule.stage === 'record');
      for (let round = 0, found = true; found && round < ROUNDS_MAX; round++) {
        found = false;
        for (const rule of rows) found = (await eraseRows(runtime, tenant, id, rule, claim)) || found;
      }
      if (!(await waitForLog(runtime, tenant, claim))) return 'again';
      const traces = rules.filter((rule): rule is RowErasure => rule.stage === 'trace');
      for (const rule of traces) await eraseRows(runtime, tenant, id, rule, claim);
      if (claim.stopping()) return 'again';
      // Edges forget before the erasure is complete for its caller.
      await runtime.notices.publishAcknowledged({ kind: 'erasure', tenant }, NOTICE_MS);
      await completeErasure(runtime.postgres.sql, tenant, id, runtime.clock.now(tenant));
      return 'ended';
    },
  });
