// Works off ingestion jobs: a bounded number at once, one a tenant, in order; documents that merchants keep are fetched
// first, so that no slow server holds up what is there. A job survives the end of its worker: its
// lease runs out, and the next worker goes on behind the last committed batch.
import { randomUUID } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { isUniqueViolation } from '#runtime/postgres/postgres.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Currency } from '#values/currency.ts';
import { readRow, sourceRows } from './document.ts';
import { finishSync } from './feed_table.ts';
import { fetchDocument } from './fetch.ts';
import { type NumberedRow, takeRows, type WriteRows } from './intake.ts';
import { type RowCounts, sweepJobs } from './job_table.ts';
import {
  anyJobWaits,
  type ClaimedJob,
  claimJob,
  finishJob,
  LeaseLost,
  leftOut,
  readPayload,
  releaseLease,
  renewLease,
  savePayload,
  saveProgress,
  saveSeen,
  saveSurvey,
} from './lease_table.ts';
import { packDocument, unpackDocument } from './payload.ts';
import { BrokenDocument, type DocumentOptions, type SourceRow } from './source_row.ts';

export interface WorkerOptions {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly write: WriteRows;
  readonly currency: (tenant: Tenant) => Promise<Currency> | Currency;
  /** How long a job stands still after its worker died. */
  readonly leaseMs?: number;
  readonly rowsPerBatchMax?: number;
}

export interface Worker {
  /** Looks for a job now instead of at the next look. */
  wake(): void;
  /** Lets the batches in flight end and leaves the rest to the next worker. */
  stop(): Promise<void>;
}

const JOBS_AT_ONCE = 3;
const FETCHES_AT_ONCE = 16;
const LOOK_MS = 1_000;
const LEASE_MS = 10_000;
// A batch is about 30 ms of this process at a stretch; 500 rows are 5 % faster and stand twice as long in the way.
const ROWS_PER_BATCH_MAX = 250;
/** Long rows make short batches, so that no statement comes near its time-out. */
const BATCH_BYTES_MAX = 1024 * 1024;
const SURVEY_ROWS_AT_ONCE = 1_000;
/** How often a batch that the database cannot take now is tried before it is halved. */
const TRIES_MAX = 4;
/** A job that gets no row further so many times is not begun again. */
const ATTEMPTS_MAX = 5;
const NO_COUNTS: RowCounts = {
  rows_created: 0,
  rows_updated: 0,
  rows_unchanged: 0,
  rows_failed: 0,
  rows_deactivated: 0,
};

/** The job cannot go on, and never will: said in its errors. */
class JobFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The worker stops; the job is handed on. */
class Stopped extends Error {}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

export const startWorker = (options: WorkerOptions): Worker => {
  const { postgres, clock, log, outbound } = options;
  const leaseMs = options.leaseMs ?? LEASE_MS;
  const rowsMax = options.rowsPerBatchMax ?? ROWS_PER_BATCH_MAX;
  const pools = [
    { fetched: true, max: JOBS_AT_ONCE, running: new Set<Promise<void>>() },
    { fetched: false, max: FETCHES_AT_ONCE, running: new Set<Promise<void>>() },
  ];
  let stopping = false;
  let looking = false;
  let again = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Most looks that no change called for find nothing. What went wrong is said by the claim. */
  const nothingWaits = async (): Promise<boolean> => {
    if (!postgres.available) return true;
    return !(await anyJobWaits(postgres.sql).catch(() => true));
  };

  const look = async (called: boolean): Promise<void> => {
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    clearTimeout(timer);
    try {
      if (!called && (await nothingWaits()) && !again) return;
      do {
        again = false;
        for (const { fetched, max, running } of pools) {
          while (!stopping && running.size < max && postgres.available) {
            const job = await claim(fetched);
            if (job === null) break;
            const done = run(job).finally(() => {
              running.delete(done);
              void look(true);
            });
            running.add(done);
          }
        }
      } while (again);
    } finally {
      looking = false;
      if (!stopping) {
        timer = setTimeout(() => void look(false), LOOK_MS);
        timer.unref();
      }
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
      await (job.fetched ? work(job) : fetch(job));
    } catch (problem) {
      await end(job, problem).catch((fault) => log.warn({ ...about, err: fault }, 'an ingestion job was left behind'));
    } finally {
      clearInterval(renewal);
    }
  };

  const end = async (job: ClaimedJob, problem: unknown): Promise<void> => {
    if (problem instanceof JobFailed) return finish(job, 'failed', problem);
    if (problem instanceof LeaseLost) return;
    const blameless = problem instanceof Stopped || problem instanceof Unavailable;
    if (!blameless) log.error({ err: problem, job: job.job }, 'an ingestion job stopped');
    if (!stopping) await pause(LOOK_MS);
    await releaseLease(postgres.sql, job, blameless);
  };

  const finish = async (job: ClaimedJob, status: 'completed' | 'failed', failure: JobFailed | null): Promise<void> => {
    const now = clock.now(job.tenant);
    await postgres.transaction(async (tx) => {
      await finishJob(tx.sql, job, status, now, failure && { code: failure.code, message: failure.message });
      if (job.feedId !== null) await finishSync(tx, job.tenant, job.feedId, job.job, status, now);
    });
    // One more has ended: more than one may go.
    await sweepJobs(postgres.sql, job.tenant, now).catch((problem) =>
      log.warn({ err: problem, job: job.job }, 'ended ingestion jobs were not swept'),
    );
  };

  const work = async (job: ClaimedJob): Promise<void> => {
    const bytes = await unpackDocument(await readPayload(postgres.sql, job));
    const document: DocumentOptions = {
      format: job.format,
      mapping: job.mapping,
      currency: await options.currency(job.tenant),
    };
    try {
      const rowsTotal = job.surveyed ? job.rowsTotal : await survey(job, bytes, document);
      await process(job, sourceRows(bytes, document), document);
      if (job.mode === 'replace') await deactivateRest(job, rowsTotal);
    } catch (problem) {
      if (problem instanceof BrokenDocument) throw new JobFailed('invalid_document', problem.message);
      throw problem;
    }
    await finish(job, 'completed', null);
  };

  /** Leaves the job, still its tenant's first, to who works off what is there. */
  const fetch = async (job: ClaimedJob): Promise<void> => {
    const bytes = await fetchDocument(outbound, job.url ?? '', job.tenant.environment);
    if (typeof bytes === 'string') throw new JobFailed('fetch_failed', bytes);
    await savePayload(postgres.sql, job, await packDocument(bytes));
    await releaseLease(postgres.sql, job, true);
  };

  /** Reads the document through before anything of it is taken in: a broken one must change nothing. */
  const survey = async (job: ClaimedJob, bytes: Uint8Array, document: DocumentOptions): Promise<number> => {
    let rows = 0;
    for await (const _row of sourceRows(bytes, document)) if (++rows % SURVEY_ROWS_AT_ONCE === 0) await turn();
    if (rows === 0 && job.feedId !== null) throw new JobFailed('invalid_document', 'The file holds no products.');
    await saveSurvey(postgres.sql, job, rows, clock.now(job.tenant));
    return rows;
  };

  const process = async (
    job: ClaimedJob,
    sources: AsyncIterable<SourceRow> | Iterable<SourceRow>,
    document: DocumentOptions,
  ): Promise<void> => {
    let number = 0;
    let bytes = 0;
    let batch: NumberedRow[] = [];
    const flush = async (): Promise<void> => {
      if (stopping) throw new Stopped();
      await take(job, batch);
      batch = [];
      bytes = 0;
    };
    for await (const source of sources) {
      if (number >= job.rowsDone) {
        batch.push({ number, row: readRow(source, document) });
        if (source instanceof Uint8Array) bytes += source.length;
        if (batch.length >= rowsMax || bytes >= BATCH_BYTES_MAX) await flush();
      } else if (number % SURVEY_ROWS_AT_ONCE === 0) await turn();
      number++;
    }
    if (batch.length > 0) await flush();
  };

  /** One transaction: rows, events and progress. A batch that breaks the catalogue is halved until the row is found. */
  const take = async (job: ClaimedJob, batch: readonly NumberedRow[], tries = 1): Promise<void> => {
    try {
      await postgres.transaction(async (tx) => {
        const taken = await takeRows(tx, job.tenant, batch, job.mode, options.write);
        if (job.mode === 'replace') await saveSeen(tx.sql, job, taken.named);
        await saveProgress(tx.sql, job, batch.length, taken.counts, taken.errors, leaseMs);
      });
    } catch (problem) {
      if (problem instanceof LeaseLost || problem instanceof UnknownOutcome || stopping) throw problem;
      const [first] = batch;
      if (problem instanceof Unavailable) {
        if (tries < TRIES_MAX) {
          await pause(100 * 2 ** tries);
          return take(job, batch, postgres.available ? tries + 1 : 1);
        }
        if (batch.length === 1) throw problem;
      }
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        await take(job, batch.slice(0, half));
        await take(job, batch.slice(half));
        return;
      }
      log.error({ err: problem, job: job.job, row: first!.number }, 'a row could not be written');
      const error = {
        row: first!.number,
        external_id: null,
        code: 'server_error',
        param: null,
        message: 'The row could not be written.',
      };
      await postgres.transaction((tx) =>
        saveProgress(tx.sql, job, 1, { ...NO_COUNTS, rows_failed: 1 }, [error], leaseMs),
      );
    }
  };

  /** A worker that could read nothing of a catalogue does not know what it leaves out. */
  const deactivateRest = async (job: ClaimedJob, rowsTotal: number): Promise<void> => {
    const [done] = await postgres.sql<{ rows_failed: number }[]>`
      select rows_failed from catalog.ingestion_job
      where store = ${job.tenant.store} and environment = ${job.tenant.environment} and id = ${job.job}`;
    if (rowsTotal > 0 && done?.rows_failed === rowsTotal) return;
    for (;;) {
      if (stopping) throw new Stopped();
      const left = await postgres.transaction(async (tx) => {
        const ids = await leftOut(tx.sql, job, rowsMax);
        if (ids.length === 0) return 0;
        const rows = ids.map((id) => ({ id, is_active: false }));
        const { failed } = await options.write(tx, job.tenant, rows);
        if (failed[0]) throw new Error(`A product could not be deactivated: ${failed[0].refusal.message}`);
        await saveProgress(tx.sql, job, 0, { ...NO_COUNTS, rows_deactivated: ids.length }, [], leaseMs);
        return ids.length;
      });
      if (left < rowsMax) return;
    }
  };

  void look(true);
  return {
    wake: () => void look(true),
    stop: async () => {
      stopping = true;
      clearTimeout(timer);
      await Promise.allSettled(pools.flatMap(({ running }) => [...running]));
    },
  };
};
