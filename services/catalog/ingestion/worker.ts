// Runs ingestion jobs: a bounded number at once, one per tenant, in order. Documents of merchants are fetched first, so
// that a silent server delays only its own store. When a worker dies its lease expires, and the next one continues
// after the last committed batch.
import { randomUUID } from 'node:crypto';
import { isUniqueViolation, Unavailable } from '#runtime/call/fault.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { fetchFor, finishIngestion, JobFailed, type JobParts, pause, Stopped, workOff } from './job_run.ts';
import { type ClaimedJob, claimableInMs, claimJob, LeaseLost, releaseLease, renewLease } from './lease_table.ts';

export interface WorkerOptions extends Omit<JobParts, 'leaseMs' | 'rowsMax' | 'saves' | 'stopping'> {
  readonly leaseMs?: number;
  readonly rowsPerBatchMax?: number;
}

export interface Worker {
  wake(): void;
  stop(): Promise<void>;
}

const JOBS_AT_ONCE = 3;
/** Each waits for the network with a socket, a file and a lease renewal. */
const FETCHES_AT_ONCE = 256;
/** Each holds up to 16 MiB in memory. */
const SAVES_AT_ONCE = 4;
const LOOK_MS = 1_000;
const LEASE_MS = 10_000;
// A batch blocks the process for about 30 ms; 500 rows are 5 % faster and block twice as long.
const ROWS_PER_BATCH_MAX = 250;
/** Attempts without progress before a job fails. */
const ATTEMPTS_MAX = 5;

export const startWorker = (options: WorkerOptions): Worker => {
  const { postgres, clock, log, leaseMs = LEASE_MS, rowsPerBatchMax: rowsMax = ROWS_PER_BATCH_MAX } = options;
  const saves = new Semaphore(SAVES_AT_ONCE);
  const parts: JobParts = { ...options, leaseMs, rowsMax, saves, stopping: () => stopping };
  const pools = [
    { fetched: true, max: JOBS_AT_ONCE, running: new Set<Promise<void>>() },
    { fetched: false, max: FETCHES_AT_ONCE, running: new Set<Promise<void>>() },
  ];
  let stopping = false;
  let looking = false;
  let again = false;

  const look = async (): Promise<void> => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        for (const { fetched, max, running } of pools) {
          while (!stopping && running.size < max && postgres.available) {
            const job = await claim(fetched);
            if (job === null) break;
            const done = run(job).finally(() => {
              running.delete(done);
              void look();
            });
            running.add(done);
          }
        }
      } while (again);
    } finally {
      looking = false;
    }
  };

  const claim = async (fetched: boolean): Promise<ClaimedJob | null> => {
    try {
      return await claimJob(postgres.sql, randomUUID(), leaseMs, fetched);
    } catch (problem) {
      if (!isUniqueViolation(problem, 'ingestion_job_running'))
        log.warn({ err: problem }, 'no ingestion job could be claimed');
      return null;
    }
  };

  const run = async (job: ClaimedJob): Promise<void> => {
    const about = { store: job.tenant.store, environment: job.tenant.environment, job: job.job };
    const renewal = setInterval(() => {
      renewLease(postgres.sql, job, leaseMs).catch((problem) =>
        log.debug({ ...about, err: problem }, 'lease not renewed'),
      );
    }, leaseMs / 3);
    try {
      if (job.attempts > ATTEMPTS_MAX) throw new JobFailed('server_error', 'The job could not be worked off.');
      await (job.fetched ? workOff(parts, job) : fetchFor(parts, job));
    } catch (problem) {
      await end(job, problem).catch((fault) => log.warn({ ...about, err: fault }, 'an ingestion job was left behind'));
    } finally {
      clearInterval(renewal);
    }
  };

  const end = async (job: ClaimedJob, problem: unknown): Promise<void> => {
    if (problem instanceof JobFailed) return finishIngestion(parts, job, 'failed', problem);
    if (problem instanceof LeaseLost) return;
    const blameless = problem instanceof Stopped || problem instanceof Unavailable;
    if (!blameless) log.error({ err: problem, job: job.job }, 'an ingestion job stopped');
    if (!stopping) await pause(LOOK_MS);
    await releaseLease(postgres.sql, job, blameless);
  };

  const stopLooking = repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    resting: {
      postgres,
      clock,
      nextDue: async () => {
        const ms = await claimableInMs(postgres.sql);
        return ms === null ? null : new Date(clock.real() + ms);
      },
    },
    work: async () => {
      if ((await claimableInMs(postgres.sql)) === 0) await look();
    },
    failed: (problem) => log.debug({ err: problem }, 'failed to look for ingestion jobs'),
  });
  void look();
  return {
    wake: () => void look(),
    stop: async () => {
      stopping = true;
      stopLooking();
      await Promise.allSettled(pools.flatMap(({ running }) => [...running]));
    },
  };
};
