// Runs one ingestion job batch by batch, from fetching the document to the last row. Throws the error that ends the job
// early.

import type { Environment, Tenant } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Semaphore } from '#runtime/flow/semaphore.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Currency } from '#values/currency.ts';
import { readRow, sourceRows } from './document.ts';
import { finishSync } from './feed_table.ts';
import { type IngestedRows, ingestRows, type NumberedRow, type WriteRows } from './intake.ts';
import { type RowCounts, sweepJobs } from './job_table.ts';
import {
  type ClaimedJob,
  finishJob,
  LeaseLost,
  readPayload,
  releaseLease,
  saveNamedIds,
  savePayload,
  saveProgress,
  saveSurvey,
  unnamedProducts,
} from './lease_table.ts';
import { BrokenDocument, type DocumentOptions, type SourceRow } from './source_row.ts';
import { DOCUMENT_BYTES_MAX, openSpool, packDocument, type Spool, unpackDocument } from './spool.ts';

const FETCH_TIMEOUT_MS = 60_000;

const fetchDocument = async (
  outbound: Outbound,
  url: string,
  environment: Environment,
  spool: Spool,
): Promise<string | null> => {
  const answer = await outbound.send({
    url,
    environment,
    timeoutMs: FETCH_TIMEOUT_MS,
    bytesMax: DOCUMENT_BYTES_MAX,
    sink: (chunk) => spool.append(chunk),
  });
  if (answer instanceof OutboundFailure) return answer.message;
  if (answer.status !== 200) return `The address answered with status ${answer.status}.`;
  if (answer.truncated) return `The file is larger than ${DOCUMENT_BYTES_MAX} bytes.`;
  const encoding = answer.headers['content-encoding'] ?? 'identity';
  return encoding === 'identity' ? null : `The file came compressed (${encoding}), which was not asked for.`;
};

export interface JobParts {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Log;
  readonly outbound: Outbound;
  readonly write: WriteRows;
  readonly currency: (tenant: Tenant) => Promise<Currency> | Currency;
  readonly rowsMax: number;
  /** Bounds how many fetched documents are in memory at once. */
  readonly saves: Semaphore;
  readonly stopping: () => boolean;
  /** Called when a document is stored, so that its rows are written at once. */
  readonly wake: () => void;
}

/** Bounds the duration of a statement when rows are long. */
const BATCH_BYTES_MAX = 1024 * 1024;
const ROWS_PER_YIELD = 1_000;
/** More products than a push may have rows. */
const DRY_RUN_PRODUCTS_MAX = 1_000_000;
/** Number of attempts to write a batch that times out or finds the database unavailable, before the batch is halved. */
const ATTEMPTS_PER_BATCH = 4;
const NO_COUNTS: RowCounts = {
  rows_created: 0,
  rows_updated: 0,
  rows_unchanged: 0,
  rows_failed: 0,
  rows_deactivated: 0,
};

export class JobFailed extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export class Stopped extends Error {}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
export const finishIngestion = async (
  { clock, log, postgres }: JobParts,
  job: ClaimedJob,
  status: 'completed' | 'failed',
  failure: JobFailed | null,
): Promise<void> => {
  const now = clock.now(job.tenant);
  await postgres.transaction(async (tx) => {
    await finishJob(tx.sql, job, status, now, failure && { code: failure.code, message: failure.message });
    if (job.feedId !== null) await finishSync(tx, job.tenant, job.feedId, job.job, status, now);
  });
  await sweepJobs(postgres.sql, job.tenant, now).catch((problem) =>
    log.warn({ err: problem, job: job.job }, 'failed to delete old ingestion jobs'),
  );
};

/** Fetches and stores the document. The job stays first in its tenant's queue until another worker writes the rows. */
export const fetchJobDocument = async (
  { outbound, postgres, saves, wake }: JobParts,
  job: ClaimedJob,
): Promise<void> => {
  const spool = await openSpool();
  try {
    const failure = await fetchDocument(outbound, job.url ?? '', job.tenant.environment, spool);
    if (failure !== null) throw new JobFailed('fetch_failed', failure);
    await saves.run(async () => savePayload(postgres.sql, job, await packDocument(await spool.read())));
  } finally {
    await spool.close();
  }
  await releaseLease(postgres.sql, job);
  wake();
};

/** Reads the whole document before the first write, because a malformed document must change nothing. */
const survey = async (
  { clock, postgres }: JobParts,
  job: ClaimedJob,
  bytes: Uint8Array,
  document: DocumentOptions,
): Promise<number> => {
  let rows = 0;
  for await (const _row of sourceRows(bytes, document)) if (++rows % ROWS_PER_YIELD === 0) await yieldToEventLoop();
  if (rows === 0 && job.feedId !== null) throw new JobFailed('invalid_document', 'The file holds no products.');
  await saveSurvey(postgres.sql, job, rows, clock.now(job.tenant));
  return rows;
};

class Rehearsed extends Error {
  readonly rows: IngestedRows;

  constructor(rows: IngestedRows) {
    super('The rows of a dry run are rolled back.');
    this.rows = rows;
  }
}

/** Writes rows in a transaction that is rolled back, and returns what they would have done. */
const rehearseBatch = async (
  { postgres, write }: JobParts,
  job: ClaimedJob,
  batch: readonly NumberedRow[],
): Promise<IngestedRows> => {
  try {
    return await postgres.transaction<never>(async (tx) => {
      throw new Rehearsed(await ingestRows(tx, job.tenant, batch, job.mode, write));
    });
  } catch (problem) {
    if (problem instanceof Rehearsed) return problem.rows;
    throw problem;
  }
};

/** Writes rows, events and progress in one transaction. Halves a failing batch until the bad row is isolated. */
const ingestBatch = async (
  parts: JobParts,
  job: ClaimedJob,
  batch: readonly NumberedRow[],
  tries = 1,
): Promise<void> => {
  const { log, postgres, stopping, write } = parts;
  try {
    const rehearsed = job.dryRun ? await rehearseBatch(parts, job, batch) : null;
    await postgres.transaction(async (tx) => {
      const taken = rehearsed ?? (await ingestRows(tx, job.tenant, batch, job.mode, write));
      if (job.mode === 'replace') await saveNamedIds(tx.sql, job, taken.named);
      await saveProgress(tx.sql, job, batch.length, taken.counts, taken.errors);
    });
  } catch (problem) {
    if (problem instanceof LeaseLost || problem instanceof UnknownOutcome || stopping()) throw problem;
    const [first] = batch;
    if (problem instanceof Unavailable) {
      if (tries < ATTEMPTS_PER_BATCH) {
        await pause(100 * 2 ** tries);
        return ingestBatch(parts, job, batch, postgres.available ? tries + 1 : 1);
      }
      if (batch.length === 1) throw problem;
    }
    if (batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await ingestBatch(parts, job, batch.slice(0, half));
      await ingestBatch(parts, job, batch.slice(half));
      return;
    }
    log.error({ err: problem, job: job.job, row: first!.number }, 'failed to write a row');
    const error = {
      row: first!.number,
      external_id: null,
      code: 'server_error',
      param: null,
      message: 'The row could not be written.',
    };
    await postgres.transaction((tx) => saveProgress(tx.sql, job, 1, { ...NO_COUNTS, rows_failed: 1 }, [error]));
  }
};

const ingestDocument = async (
  parts: JobParts,
  job: ClaimedJob,
  sources: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  document: DocumentOptions,
): Promise<void> => {
  let number = 0;
  let bytes = 0;
  let batch: NumberedRow[] = [];
  const flush = async (): Promise<void> => {
    if (parts.stopping()) throw new Stopped();
    await ingestBatch(parts, job, batch);
    batch = [];
    bytes = 0;
  };
  for await (const source of sources) {
    if (number >= job.rowsDone) {
      batch.push({ number, row: readRow(source, document) });
      if (source instanceof Uint8Array) bytes += source.length;
      if (batch.length >= parts.rowsMax || bytes >= BATCH_BYTES_MAX) await flush();
    } else if (number % ROWS_PER_YIELD === 0) await yieldToEventLoop();
    number++;
  }
  if (batch.length > 0) await flush();
};

/** Deactivates nothing if no row was readable, because the document then does not tell which products it leaves out. */
const deactivateUnnamed = async (
  { postgres, rowsMax, stopping, write }: JobParts,
  job: ClaimedJob,
  rowsTotal: number,
): Promise<void> => {
  const [done] = await postgres.sql<{ rows_failed: number }[]>`
    select rows_failed from catalog.ingestion_job
    where store = ${job.tenant.store} and environment = ${job.tenant.environment} and id = ${job.job}`;
  if (rowsTotal > 0 && done?.rows_failed === rowsTotal) return;
  if (job.dryRun) {
    const ids = await unnamedProducts(postgres.sql, job, DRY_RUN_PRODUCTS_MAX);
    await postgres.transaction((tx) =>
      saveProgress(tx.sql, job, 0, { ...NO_COUNTS, rows_deactivated: ids.length }, []),
    );
    return;
  }
  for (;;) {
    if (stopping()) throw new Stopped();
    const left = await postgres.transaction(async (tx) => {
      const ids = await unnamedProducts(tx.sql, job, rowsMax);
      if (ids.length === 0) return 0;
      const rows = ids.map((id) => ({ id, is_active: false }));
      const { failed } = await write(tx, job.tenant, rows);
      if (failed[0]) throw new Error(`A product could not be deactivated: ${failed[0].refusal.message}`);
      await saveProgress(tx.sql, job, 0, { ...NO_COUNTS, rows_deactivated: ids.length }, []);
      return ids.length;
    });
    if (left < rowsMax) return;
  }
};

export const runJob = async (parts: JobParts, job: ClaimedJob): Promise<void> => {
  const bytes = await unpackDocument(await readPayload(parts.postgres.sql, job));
  const document: DocumentOptions = {
    format: job.format,
    mapping: job.mapping,
    currency: await parts.currency(job.tenant),
  };
  try {
    const rowsTotal = job.surveyed ? job.rowsTotal : await survey(parts, job, bytes, document);
    await ingestDocument(parts, job, sourceRows(bytes, document), document);
    if (job.mode === 'replace') await deactivateUnnamed(parts, job, rowsTotal);
  } catch (problem) {
    if (problem instanceof BrokenDocument) throw new JobFailed('invalid_document', problem.message);
    throw problem;
  }
  await finishIngestion(parts, job, 'completed', null);
};
