// Pushes products in signed batches. Records accepted jobs in a file beside the import's, so that a repeated run waits
// for these jobs instead of pushing again.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { JobResponse } from '#proto/gen/ingestion.ts';
import { SetupError } from '#services/cli/local/child.ts';
import type { FoundProduct, Problem } from './catalogue.ts';
import { ImportRefused, type ImportTarget, pause } from './shop.ts';

/** Maximum number of rows per batch: a job reports the errors of this many rows at most. */
const ROWS_MAX = 1_000;
const BYTES_MAX = 4 * 1024 * 1024;
const POLL_MS = 100;

type Job = JobResponse['job'];

export interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

export interface Pushed {
  readonly counts: Counts;
  readonly problems: readonly Problem[];
  readonly refused: ReadonlySet<string>;
}

interface Batch {
  readonly products: readonly FoundProduct[];
  readonly body: string;
}

const batchesOf = (products: readonly FoundProduct[]): Batch[] => {
  const batches: Batch[] = [];
  let [lines, members, bytes]: [string[], FoundProduct[], number] = [[], [], 0];
  const close = (): void => {
    if (members.length > 0) batches.push({ products: members, body: lines.join('\n') });
    [lines, members, bytes] = [[], [], 0];
  };
  for (const found of products) {
    const line = JSON.stringify(found.product);
    const size = Buffer.byteLength(line) + 1;
    if (members.length === ROWS_MAX || bytes + size > BYTES_MAX) close();
    lines.push(line);
    members.push(found);
    bytes += size;
  }
  close();
  return batches;
};

interface Resumption {
  readonly digest: string;
  readonly jobs: readonly string[];
}

const resumptionFile = (file: string): string => `${file}.unfinished.json`;

const readResumption = (file: string, digest: string): string[] => {
  try {
    const found = JSON.parse(readFileSync(resumptionFile(file), 'utf8')) as Resumption;
    return found.digest === digest ? [...found.jobs] : [];
  } catch {
    return [];
  }
};

const writeResumption = (file: string, resumption: Resumption): void => {
  const path = resumptionFile(file);
  writeFileSync(`${path}.new`, JSON.stringify(resumption));
  renameSync(`${path}.new`, path);
};

export const forget = (file: string): void => rmSync(resumptionFile(file), { force: true });

const finished = async (shop: ImportTarget, id: string): Promise<Job | null> => {
  for (;;) {
    const answer = await shop.ask<JobResponse>('GET', `/v1/ingestion/jobs/${id}`);
    if (answer instanceof ImportRefused && answer.status === 404) return null;
    const { job } = shop.done('The job', answer);
    if (job.finished_at !== null) return job;
    await pause(POLL_MS);
  }
};

const push = async (shop: ImportTarget, { body }: Batch): Promise<string> => {
  const answer = await shop.ask<JobResponse>('POST', '/v1/ingestion/push?mode=upsert', body, {
    type: 'application/x-ndjson',
    signed: true,
  });
  return shop.done('The push', answer).job.id;
};

const problemsOf = (job: Job, { products }: Batch): Problem[] =>
  job.errors.map(({ row, external_id, param, message }) => ({
    row: row === null ? null : products[row]!.row,
    id: external_id ?? (row === null ? null : products[row]!.product.external_id),
    param,
    message,
    whole: true,
  }));

/** `target` identifies the store and environment. Sends each batch while the one before it is being ingested. */
export const pushProducts = async (
  shop: ImportTarget,
  file: string,
  target: string,
  products: readonly FoundProduct[],
  onProgress: (done: number) => void,
): Promise<Pushed> => {
  const batches = batchesOf(products);
  const digest = createHash('sha256').update(target);
  for (const { body } of batches) digest.update('\n').update(body);
  const mark = digest.digest('hex');
  const jobs = readResumption(file, mark);
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const problems: Problem[] = [];
  const send = async (at: number): Promise<void> => {
    jobs[at] = await push(shop, batches[at]!);
    writeResumption(file, { digest: mark, jobs });
  };
  let done = 0;
  for (const [at, batch] of batches.entries()) {
    if (jobs[at] === undefined) await send(at);
    if (at + 1 < batches.length && jobs[at + 1] === undefined) await send(at + 1);
    let job = await finished(shop, jobs[at]!);
    if (job === null) {
      await send(at);
      job = await finished(shop, jobs[at]!);
    }
    if (job === null || job.status === 'failed')
      throw new SetupError(`The job ${jobs[at]} failed: ${job?.errors[0]?.message ?? 'it no longer exists'}`);
    counts.created += job.rows_created;
    counts.updated += job.rows_updated;
    counts.unchanged += job.rows_unchanged;
    counts.failed += job.rows_failed;
    problems.push(...problemsOf(job, batch));
    done += batch.products.length;
    onProgress(done);
  }
  return { counts, problems, refused: new Set(problems.flatMap(({ id }) => id ?? [])) };
};
