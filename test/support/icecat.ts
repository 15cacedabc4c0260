// Reads a real electronics catalogue of 19,406 products as rows of a push. The file is outside of the repository; tests that need
// it are skipped if it is missing.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** STOA_DATA: the folder of real data. */
export const DATA_FOLDER = process.env.STOA_DATA || fileURLToPath(new URL('../../../shared/data', import.meta.url));

const FILE = join(DATA_FOLDER, 'icecat/products.ndjson.zst');
const BYTES_MAX = 256 * 1024 * 1024;
const MPN_LENGTH_MAX = 100;
const ATTRIBUTE = /^attr_[tnb]_/;

/** All of it are 19,406; what holds of some thousands from all over it is said of them sooner. */
const ROWS = Number(process.env.STOA_ICECAT_ROWS ?? 3_000);

interface Source {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly ean?: readonly string[];
  readonly short_description?: string;
  readonly img_500x500?: string;
  readonly supplier?: string;
  /** Cents of a dollar. */
  readonly price: number;
  readonly [attribute: string]: unknown;
}

/** A row of a push: a simple product. */
export interface IcecatRow {
  readonly external_id: string;
  readonly sku: string;
  readonly name: string;
  readonly price: number;
  readonly [field: string]: unknown;
}

export const hasIcecat = (): boolean => existsSync(FILE) && spawnSync('zstd', ['--version']).status === 0;

const rowOf = (source: Source): IcecatRow => {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(source))
    if (ATTRIBUTE.test(name)) attributes[name.replace(ATTRIBUTE, '')] = value;
  const weight = source.attr_n_package_weight ?? source.attr_n_weight;
  const type = source.attr_t_product_type;
  return {
    external_id: source.id,
    sku: source.id,
    name: source.title,
    description: source.short_description ?? '',
    category: typeof type === 'string' ? type.replaceAll('>', '/') : null,
    brand: source.supplier ?? null,
    mpn: source.name.length <= MPN_LENGTH_MAX ? source.name : null,
    gtin: source.ean?.[0] ?? null,
    price: source.price / 100,
    stock: 10,
    weight_grams: typeof weight === 'number' ? Math.round(weight) : null,
    attributes,
    media: source.img_500x500 ? [{ url: source.img_500x500 }] : [],
  };
};

export const icecatRows = (): IcecatRow[] => {
  const unpacked = spawnSync('zstd', ['-dc', FILE], { maxBuffer: BYTES_MAX });
  if (unpacked.status !== 0) throw new Error(`zstd: ${unpacked.stderr}`);
  return String(unpacked.stdout)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowOf(JSON.parse(line) as Source));
};

/** A sample of STOA_ICECAT_ROWS rows, from the whole catalogue instead of its beginning. */
export const someIcecatRows = (): IcecatRow[] => {
  const all = icecatRows();
  const step = Math.max(1, Math.floor(all.length / ROWS));
  return all.filter((_, at) => at % step === 0).slice(0, ROWS);
};

/** The rows as NDJSON bodies, none larger than a push may be. */
export const icecatPushes = (rows: readonly IcecatRow[], bytesMax = 16 * 1024 * 1024): Uint8Array[] => {
  const pushes: Uint8Array[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    const length = Buffer.byteLength(line) + 1;
    if (bytes + length > bytesMax) {
      pushes.push(Buffer.from(lines.join('\n')));
      lines = [];
      bytes = 0;
    }
    lines.push(line);
    bytes += length;
  }
  if (lines.length > 0) pushes.push(Buffer.from(lines.join('\n')));
  return pushes;
};
