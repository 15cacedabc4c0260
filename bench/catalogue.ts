// Loads the catalogue for benches: real product data if it lies beside the checkout, else as many generated products. Pushes
// these through the signed ingestion endpoint.
import { randomUUID } from 'node:crypto';
import { signatureHeaders } from '#services/cli/signing.ts';
import { hasIcecat, icecatRows } from '#test/support/icecat.ts';
import type { BenchStore } from './stack.ts';

export const CATALOGUE_SIZE = 19_406;
/** Rows a push: well below 16 MiB. */
const PUSH_ROWS = 5_000;

/** A row as wide as real ones: a name, a text, some thirty attributes. */
function madeUpRow(i: number): Record<string, unknown> {
  const words = ['compact', 'steel', 'walnut', 'quiet', 'wide', 'folding', 'heavy', 'bright', 'linen', 'cordless'];
  const word = (n: number): string => words[(i * 7 + n * 13) % words.length] as string;
  return {
    external_id: `made-${i}`,
    sku: `MADE-${i}`,
    name: `${word(1)} ${word(2)} thing ${i}`,
    description: Array.from({ length: 40 }, (_, n) => word(n)).join(' '),
    category: `Aisle ${i % 12} > Shelf ${i % 60}`,
    brand: `Brand ${i % 150}`,
    price: ((i * 37) % 50_000) / 100 + 1,
    stock: i % 50,
    attributes: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`property_${n}`, `${word(n)} ${n}`])),
  };
}

/** Rows of a push, `count` of them. */
export async function catalogueRows(count = CATALOGUE_SIZE): Promise<Record<string, unknown>[]> {
  if (hasIcecat() && count <= CATALOGUE_SIZE) return (await icecatRows()).slice(0, count) as Record<string, unknown>[];
  return Array.from({ length: count }, (_, i) => madeUpRow(i));
}

export interface Job {
  readonly id: string;
  readonly status: string;
  readonly rows_total: number;
  readonly rows_created: number;
  readonly rows_failed: number;
  readonly errors: unknown[];
}

const signed = (secret: string, body: string): Record<string, string> => {
  return { ...signatureHeaders(secret, body), 'Idempotency-Key': randomUUID() };
};

/** Pushes rows and waits until their jobs are done. Returns the jobs. */
export async function push(url: string, store: BenchStore, rows: readonly unknown[]): Promise<Job[]> {
  const authorization = { Authorization: `Bearer ${store.secret_key}` };
  const jobs: string[] = [];
  for (let start = 0; start < rows.length; start += PUSH_ROWS) {
    const body = JSON.stringify({ mode: 'upsert', products: rows.slice(start, start + PUSH_ROWS) });
    const response = await fetch(`${url}/v1/ingestion/push`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json', ...signed(store.hmac_secret, body) },
      body,
    });
    if (response.status !== 202) throw new Error(`The push was answered ${response.status}: ${await response.text()}`);
    jobs.push(((await response.json()) as { job: Job }).job.id);
  }
  const done: Job[] = [];
  for (const id of jobs)
    for (;;) {
      const response = await fetch(`${url}/v1/ingestion/jobs/${id}`, { headers: authorization });
      const { job } = (await response.json()) as { job: Job };
      if (job.status === 'failed') throw new Error(`The job failed: ${JSON.stringify(job.errors.slice(0, 3))}`);
      if (job.status === 'completed') {
        done.push(job);
        break;
      }
      await Bun.sleep(20);
    }
  return done;
}
