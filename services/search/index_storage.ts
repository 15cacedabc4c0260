// Saves large indexes to Postgres in parts, so that the next process can read them. Reading an index takes a tenth of
// the time of building it.

import { deserialize, serialize } from 'bun:jsc';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tenant } from '#runtime/call/call.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { enterSandboxes, generationOf } from '#runtime/postgres/sandbox_lock.ts';
import type { IndexState, ProductIndex } from './engine/product_index.ts';
import { lastSaved, type SavedPart, savedParts, saveParts } from './table/saved_index.ts';

export interface SavedSearchIndex extends IndexState {
  readonly store: {
    /** The catalogue's digest of each product, by docId; NaN for a docId without a product. Empty over merchants. */
    readonly digests: Float64Array;
    /** Merchants of an index over several, with the revisions of the catalogues whose products it has. */
    readonly merchants?: readonly { readonly store: string; readonly currency: string; readonly revision: number }[];
    readonly categoryNames: readonly (readonly [id: string, name: string])[];
    /** Tag of the language by which the texts were analysed. */
    readonly tag: string;
  };
}

const PARTS = [
  'attributes',
  'columns',
  'productIds',
  'postings',
  'store',
  'variants',
  'vocabulary',
] as const satisfies readonly (keyof SavedSearchIndex)[];

/** Smaller indexes are not saved, because building them is as fast as reading them. */
const SAVED_PRODUCTS_MIN = 2_000;
const SAVED_BYTES_MAX = 64 << 20;
/**
 * Share of changed products from which an index is saved again. A restart reads products that changed after the save
 * from the catalogue.
 */
const RESAVE_SHARE = 0.2;

/** Whether an index is to be saved, with this number of products changed since it was last saved. */
export const isDueToSave = ({ size, memoryBytes }: Pick<ProductIndex, 'size' | 'memoryBytes'>, unsaved: number) =>
  size >= SAVED_PRODUCTS_MIN && unsaved >= size * RESAVE_SHARE && memoryBytes <= SAVED_BYTES_MAX;

/** The fastest compression level, which reduces a text index to a third. */
const LEVEL = 1;

export interface SavedIndexes {
  read(tenant: Tenant): Promise<SavedSearchIndex | null>;
  /** Returns a number that changes when the tenant is reset; null if unknown. Call before reading the catalogue. */
  generation(tenant: Tenant): Promise<number | null>;
  /** Saves the parts, unless the tenant was reset since `generation` was read. */
  write(tenant: Tenant, generation: number | null, parts: readonly SavedPart[]): Promise<void>;
  last(limit: number): Promise<readonly Tenant[]>;
}

/** Serialises and compresses in slices, between which the index must not change. */
export const packIndex = async (saved: SavedSearchIndex): Promise<SavedPart[]> => {
  const parts: SavedPart[] = [];
  for (const part of PARTS) {
    const bytes = await Bun.zstdCompress(new Uint8Array(serialize(saved[part])), { level: LEVEL });
    parts.push({ part, format: format(), bytes });
    await yieldToEventLoop();
  }
  return parts;
};

export const openSavedIndexes = (postgres: Pick<Postgres, 'sql' | 'available' | 'transaction'>): SavedIndexes => ({
  async read(tenant) {
    if (!postgres.available) return null;
    const rows = new Map((await savedParts(postgres.sql, tenant, format())).map(({ part, bytes }) => [part, bytes]));
    const parts: Partial<Record<keyof SavedSearchIndex, unknown>> = {};
    for (const part of PARTS) {
      const bytes = rows.get(part);
      if (bytes === undefined) return null;
      parts[part] = deserialize(await Bun.zstdDecompress(bytes));
      await yieldToEventLoop();
    }
    // The type is not checked, because only this program writes the format.
    return parts as unknown as SavedSearchIndex;
  },
  last: (limit) => lastSaved(postgres.sql, format(), limit),
  generation: async (tenant) =>
    tenant.environment === 'sandbox' && !postgres.available ? null : generationOf(postgres.sql, tenant),
  write: (tenant, readGeneration, parts) =>
    postgres.transaction(async ({ sql }) => {
      const { shut, generation } = (await enterSandboxes(sql, [tenant]))(tenant);
      if (!shut && generation === readGeneration) await saveParts(sql, tenant, parts);
    }),
});

const SOURCES = ['./engine/', './text/', './product_document.ts', '../values/html.ts', '../../package.json'];
let known: string | null = null;

/**
 * Returns a hash of the Bun version and the source files that determine an index's content. Saved indexes with another
 * hash are not read.
 */
const format = (): string => {
  known ??= Bun.hash(
    SOURCES.flatMap((source) => {
      const path = fileURLToPath(new URL(source, import.meta.url));
      const files = source.endsWith('/')
        ? readdirSync(path)
            .sort()
            .map((name) => `${path}${name}`)
        : [path];
      return files.map((file) => readFileSync(file, 'utf8'));
    }).join('\0') + Bun.version,
  ).toString(36);
  return known;
};
