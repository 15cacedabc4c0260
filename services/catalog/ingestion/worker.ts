// Runs ingestion jobs, at most one of a tenant, each tenant's in order. Documents are fetched by another kind, so that a
// server that does not respond delays only its store. A job of a killed process continues after the last committed batch.
import { Unavailable } from '#runtime/call/fault.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import type { Claim, JobEnd } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import { fetchJobDocument, finishIngestion, JobFailed, type JobParts, pause, runJob, Stopped } from './job_run.ts';
import { type ClaimedJob, type ClaimedRow, claimedJob, firstJobs, LeaseLost, releaseLease } from './lease_table.ts';

export interface WorkerOptions extends Omit<JobParts, 'rowsMax' | 'saves' | 'stopping'> {
  readonly leaseMs?: number;
  readonly rowsPerBatchMax?: number;
}

const WRITE_JOB = 'ingestion';
const FETCH_JOB = 'ingestion_fetch';
export const INGESTION_JOBS: readonly string[] = [FETCH_JOB, WRITE_JOB];

const CONCURRENT_JOBS_MAX = 3;
/** A fetch occupies a socket, a file and a lease, but hardly any memory; a save, a document of up to 16 MiB in memory. */
const CONCURRENT_FETCHES_MAX = 256;
const CONCURRENT_SAVES_MAX = 4;
const PAUSE_MS = 1_000;
const LEASE_MS = 10_000;
// Writing 250 rows blocks the process for about 30 ms. With 500 rows, throughput is 5 % higher but the process is
// blocked twice as long.
const ROWS_PER_BATCH_MAX = 250;
const ATTEMPTS_WITHOUT_PROGRESS_MAX = 5;

const end = async (parts: JobParts, job: ClaimedJob, problem: unknown): Promise<JobEnd> => {
  const { log, postgres, stopping } = parts;
  if (problem instanceof JobFailed) await finishIngestion(parts, job, 'failed', problem);
  else if (problem instanceof Stopped || problem instanceof Unavailable) {
    if (!stopping()) await pause(PAUSE_MS);
    await releaseLease(postgres.sql, job);
  } else if (!(problem instanceof LeaseLost)) {
    log.error({ err: problem, job: job.job }, 'stopped an ingestion job');
    return 'again';
  }
  return 'ended';
};

export const ingestionJobs = (options: WorkerOptions): readonly DeclaredJob[] => {
  const { leaseMs = LEASE_MS, rowsPerBatchMax: rowsMax = ROWS_PER_BATCH_MAX } = options;
  const saves = new Semaphore(CONCURRENT_SAVES_MAX);

  const runWith =
    (step: typeof runJob) =>
    async (row: ClaimedRow, { stopping }: Claim): Promise<JobEnd> => {
      const parts: JobParts = { ...options, rowsMax, saves, stopping };
      const claimed = claimedJob(row);
      try {
        if (row.attempts > ATTEMPTS_WITHOUT_PROGRESS_MAX)
          throw new JobFailed('server_error', 'The job made no progress in several attempts.');
        await step(parts, claimed);
        return 'ended';
      } catch (problem) {
        return end(parts, claimed, problem);
      }
    };
  const shared = { clock: 'real', leaseMs, perTenant: 1, retryMs: [PAUSE_MS] } as const;
  return [
    job<ClaimedRow>({
      ...shared,
      name: FETCH_JOB,
      rows: firstJobs(false),
      atOnce: CONCURRENT_FETCHES_MAX,
      run: runWith(fetchJobDocument),
    }),
    job<ClaimedRow>({
      ...shared,
      name: WRITE_JOB,
      rows: firstJobs(true),
      atOnce: CONCURRENT_JOBS_MAX,
      run: runWith(runJob),
    }),
  ];
};
