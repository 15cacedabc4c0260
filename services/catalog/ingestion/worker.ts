// Runs a bounded number of ingestion jobs at once, at most one per tenant, each tenant's in order. Other workers fetch
// documents beforehand, so that a server that does not respond delays only its own store. If a worker dies, its lease
// expires, and another worker continues after the last committed batch.
import { randomUUID } from 'node:crypto';
import { isUniqueViolation, Unavailable } from '#runtime/call/fault.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { fetchJobDocument, finishIngestion, JobFailed, type JobParts, pause, runJob, Stopped } from './job_run.ts';
import { type ClaimedJob, claimableInMs, claimJob, LeaseLost, releaseLease, renewLease } from './lease_table.ts';

export interface WorkerOptions extends Omit<JobParts, 'leaseMs' | 'rowsMax' | 'saves' | 'stopping'> {
  readonly leaseMs?: number;
  readonly rowsPerBatchMax?: number;
}

export interface Worker {
  wake(): void;
  stop(): Promise<void>;
}

const CONCURRENT_JOBS_MAX = 3;
/** A fetch occupies a socket, a file and a lease, but hardly any memory; a save, a document of up to 16 MiB in memory. */
const CONCURRENT_FETCHES_MAX = 256;
const CONCURRENT_SAVES_MAX = 4;
const POLL_MS = 1_000;
const LEASE_MS = 10_000;
// Writing 250 rows blocks the process for about 30 ms. With 500 rows, throughput is 5 % higher but the process is
// blocked twice as long.
const ROWS_PER_BATCH_MAX = 250;
const ATTEMPTS_WITHOUT_PROGRESS_MAX = 5;

export const startWorker = (options: WorkerOptions): Worker => {
  const { postgres, clock, log, leaseMs = LEASE_MS, rowsPerBatchMax: rowsMax = ROWS_PER_BATCH_MAX } = options;
  const saves = new Semaphore(CONCURRENT_SAVES_MAX);
  const parts: JobParts = { ...options, leaseMs, rowsMax, saves, stopping: () => stopping };
  const pools = [
    { fetched: true, max: CONCURRENT_JOBS_MAX, running: new Set<Promise<void>>() },
    { fetched: false, max: CONCURRENT_FETCHES_MAX, running: new Set<Promise<void>>() },
  ];
  let stopping = false;
  let polling = false;
  let pollAgain = false;

  const poll = async (): Promise<void> => {
    if (polling) {
      pollAgain = true;
      return;
    }
    polling = true;
    try {
      do {
        pollAgain = false;
        for (const { fetched, max, running } of pools) {
          while (!stopping && running.size < max && postgres.available) {
            const job = await claim(fetched);
            if (job === null) break;
            const done = run(job).finally(() => {
              running.delete(done);
              void poll();
            });
            running.add(done);
          }
        }
      } while (pollAgain);
    } finally {
      polling = false;
    }
  };

  const claim = async (fetched: boolean): Promise<ClaimedJob | null> => {
    try {
      return await claimJob(postgres.sql, randomUUID(), leaseMs, fetched);
    } catch (problem) {
      if (!isUniqueViolation(problem, 'ingestion_job_running'))
        log.warn({ err: problem }, 'failed to claim an ingestion job');
      return null;
    }
  };

  const run = async (job: ClaimedJob): Promise<void> => {
    const about = { store: job.tenant.store, environment: job.tenant.environment, job: job.job };
    const renewal = setInterval(() => {
      renewLease(postgres.sql, job, leaseMs).catch((problem) =>
        log.debug({ ...about, err: problem }, 'failed to renew the lease'),
      );
    }, leaseMs / 3);
    try {
      if (job.attempts > ATTEMPTS_WITHOUT_PROGRESS_MAX)
        throw new JobFailed('server_error', 'The job made no progress in several attempts.');
      await (job.fetched ? runJob(parts, job) : fetchJobDocument(parts, job));
    } catch (problem) {
      await end(job, problem).catch((fault) => log.warn({ ...about, err: fault }, 'failed to end an ingestion job'));
    } finally {
      clearInterval(renewal);
    }
  };

  const end = async (job: ClaimedJob, problem: unknown): Promise<void> => {
    if (problem instanceof JobFailed) return finishIngestion(parts, job, 'failed', problem);
    if (problem instanceof LeaseLost) return;
    const blameless = problem instanceof Stopped || problem instanceof Unavailable;
    if (!blameless) log.error({ err: problem, job: job.job }, 'stopped an ingestion job');
    if (!stopping) await pause(POLL_MS);
    await releaseLease(postgres.sql, job, blameless);
  };

  const stopLooking = repeatedly({
    everyMs: POLL_MS,
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
      if ((await claimableInMs(postgres.sql)) === 0) await poll();
    },
    failed: (problem) => log.debug({ err: problem }, 'failed to look for ingestion jobs'),
  });
  void poll();
  return {
    wake: () => void poll(),
    stop: async () => {
      stopping = true;
      stopLooking();
      await Promise.allSettled(pools.flatMap(({ running }) => [...running]));
    },
  };
};
