// Runs jobs of one kind: claims due ones, a bounded number at once and of each tenant, renews their leases, and repeats
// those that failed. Jobs of a killed process are claimed again once their leases have ended.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Log } from '#runtime/process/log.ts';
import { counter } from '#runtime/process/metric.ts';
import {
  type Claim,
  claimRows,
  firstDue,
  type JobEnd,
  type JobKind,
  type JobRow,
  type JobTable,
  type TenantTime,
  updateClaimed,
} from './job.ts';

export interface JobRuntime {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
}

const ended = counter('jobs_total', 'Attempts of jobs, by kind and by what became of them.', ['kind', 'outcome']);

/** Bounds the jobs of a process that wait for another server's answer, since each holds memory. */
const WAITING_MAX = 256;
const STOP_MS_MAX = 5_000;
const LOOK_MS = 5;

/** A kind of jobs without the type of its rows. */
export interface DeclaredJob {
  readonly name: string;
  readonly followsClocks: boolean;
  firstDue(sql: Sql, until: Date): SqlFragment;
  open(runtime: JobRuntime): Queue;
}

export interface Queue {
  readonly running: number;
  /** Claims and starts jobs until none is due or no place is left. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export const job = <Row extends JobRow>(kind: JobKind<Row>): DeclaredJob => ({
  name: kind.name,
  followsClocks: kind.clock === 'tenant',
  firstDue: (sql, until) => firstDue(sql, kind.rows, until, kind.atOnce + WAITING_MAX),
  open: (runtime) => new KindQueue(kind, runtime),
});

class KindQueue<Row extends JobRow> implements Queue {
  readonly #kind: JobKind<Row>;
  readonly #runtime: JobRuntime;
  readonly #places = new Map<TenantKey, { readonly tenant: Tenant; count: number }>();
  #running = 0;
  #waiting = 0;
  #looking = false;
  #again = false;
  /** True if jobs may be due that found no place. */
  #crowded = false;
  #stopped = false;

  constructor(kind: JobKind<Row>, runtime: JobRuntime) {
    this.#kind = kind;
    this.#runtime = runtime;
  }

  get running(): number {
    return this.#running;
  }

  async look(): Promise<void> {
    this.#again = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#again) {
        this.#again = false;
        this.#crowded = false;
        const { clock } = this.#runtime;
        const moved = this.#kind.clock === 'tenant' ? clock.moved() : [];
        await this.#claim(null);
        if (moved.length > 0) await this.#claim(moved.map((tenant) => ({ tenant, now: clock.now(tenant) })));
      }
    } catch (problem) {
      this.#runtime.log.warn({ err: problem, kind: this.#kind.name }, 'failed to claim jobs; will retry');
    } finally {
      this.#looking = false;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const until = performance.now() + STOP_MS_MAX;
    while ((this.#running > 0 || this.#looking) && performance.now() < until) await Bun.sleep(LOOK_MS);
  }

  async #claim(of: readonly TenantTime[] | null): Promise<void> {
    const { postgres, clock } = this.#runtime;
    const { rows, leaseMs } = this.#kind;
    while (!this.#stopped && postgres.available) {
      const limit = this.#free();
      if (limit <= 0) {
        this.#crowded = true;
        return;
      }
      const real = new Date(clock.real());
      const until = new Date(real.getTime() + leaseMs);
      const busy = this.#busy();
      this.#crowded ||= busy.length > 0;
      const claimed = await claimRows<Row>(postgres.sql, rows, { real, until, limit, of, busy });
      for (const row of claimed) void this.#run(row, until);
      if (claimed.length < limit) return;
    }
  }

  #busy(): Tenant[] {
    return [...this.#places.values()].flatMap(({ tenant, count }) => (count < this.#kind.perTenant ? [] : [tenant]));
  }

  /** Returns how many jobs may be claimed in one statement: they may all be of one tenant. */
  #free(): number {
    const { atOnce, perTenant } = this.#kind;
    const left = Math.min(atOnce - (this.#running - this.#waiting), atOnce + WAITING_MAX - this.#running);
    const counts = [...this.#places.values()].map(({ count }) => count).filter((count) => count < perTenant);
    return Math.min(left, perTenant - Math.max(0, ...counts));
  }

  async #run(row: Row, until: Date): Promise<void> {
    const { name, rows, leaseMs, run, retryMs } = this.#kind;
    const { postgres, clock, log } = this.#runtime;
    const tenant: Tenant = { store: row.store, environment: row.environment };
    this.#count(tenant, 1);
    failpoint('job_claim', row.store);
    const lease = renewing(this.#runtime, rows, row, { until, leaseMs });
    let end: JobEnd | 'failed' = 'failed';
    try {
      const whileWaiting: Claim['whileWaiting'] = (wait) => this.#whileWaiting(tenant, wait);
      end = await run(row, { whileWaiting, stopping: () => this.#stopped });
      failpoint('job_run', row.store);
    } catch (problem) {
      log.warn({ err: problem, kind: name, store: row.store, job: row.id }, 'failed to run a job; will retry');
    }
    try {
      const until = await lease.stop();
      const pauseMs = retryMs[Math.min(row.attempts, retryMs.length) - 1]!;
      const now = this.#kind.clock === 'tenant' ? clock.now(tenant).getTime() : clock.real();
      const again = { [rows.lease]: null, [rows.due]: new Date(now + pauseMs) };
      // A row that the run itself has changed has no such lease any longer.
      if (end !== 'ended' && !(await updateClaimed(postgres.sql, rows, row, until, again))) end = 'ended';
      failpoint('job_note', row.store);
    } catch (problem) {
      log.warn({ err: problem, kind: name }, 'failed to note a job; it is repeated once its lease has ended');
    }
    ended.inc({ kind: name, outcome: end });
    this.#count(tenant, -1);
    if (this.#crowded) void this.look();
  }

  #count(tenant: Tenant, by: 1 | -1): void {
    this.#running += by;
    this.#occupy(tenant, by);
  }

  #occupy(tenant: Tenant, by: 1 | -1): void {
    const key = tenantKey(tenant);
    const occupied = this.#places.get(key) ?? { tenant, count: 0 };
    occupied.count += by;
    if (occupied.count === 0) this.#places.delete(key);
    else this.#places.set(key, occupied);
  }

  async #whileWaiting<T>(tenant: Tenant, wait: () => Promise<T>): Promise<T> {
    this.#waiting++;
    this.#occupy(tenant, -1);
    if (this.#crowded) void this.look();
    try {
      return await wait();
    } finally {
      this.#waiting--;
      this.#occupy(tenant, 1);
    }
  }
}

interface Renewal {
  /** Ends the renewals. Returns the lease's end as it is stored. */
  stop(): Promise<Date>;
}

/** Renews the lease of a claimed row. */
export const renewing = (
  { postgres, clock, log }: JobRuntime,
  rows: JobTable,
  row: JobRow,
  lease: { readonly until: Date; readonly leaseMs: number },
): Renewal => {
  let { until } = lease;
  let last: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    const next = new Date(clock.real() + lease.leaseMs);
    if (await updateClaimed(postgres.sql, rows, row, until, { [rows.lease]: next })) until = next;
  };
  const timer = setInterval(() => {
    last = renew().catch((problem) => log.debug({ err: problem, table: rows.table }, 'failed to renew a lease'));
  }, lease.leaseMs / 3);
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      return until;
    },
  };
};
