// Shipping configurations in Postgres: one compressed document per tenant, with a revision.
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { StoredConfig } from '#services/shipping/config.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Bounds decompression. A document is larger than its request of at most 16 MiB, because defaults are added. */
const DOCUMENT_BYTES_MAX = 128 * 1024 * 1024;

interface SavedConfig {
  readonly updatedAt: Date;
  readonly revision: number;
}

/** Returns null if `version` is given and is not the version of the stored configuration. */
export const saveConfig = async (
  sql: Sql,
  { store, environment }: Tenant,
  { text, now, version }: { readonly text: Uint8Array; readonly now: Date; readonly version: Date | null },
): Promise<SavedConfig | null> => {
  const document = await compress(text, OPTIONS);
  const [row] = await sql<{ updated_at: Date; revision: number }[]>`
    insert into shipping.config (store, environment, revision, document, updated_at)
    values (${store}, ${environment}, 1, ${document}, ${now})
    on conflict (store, environment)
      do update set revision = config.revision + 1, document = excluded.document,
        updated_at = greatest(excluded.updated_at, config.updated_at + interval '1 millisecond')
      where ${version}::timestamptz is null or config.updated_at = ${version}
    returning updated_at, revision`;
  return row ? { updatedAt: row.updated_at, revision: row.revision } : null;
};

export const findConfigTime = async (sql: Sql, { store, environment }: Tenant): Promise<Date | null> => {
  const [row] = await sql<{ updated_at: Date }[]>`
    select updated_at from shipping.config where store = ${store} and environment = ${environment}`;
  return row?.updated_at ?? null;
};

/** Raises the revision for a change that the document does not contain, such as a new provider, and returns it. */
export const raiseRevision = async (sql: Sql, { store, environment }: Tenant, now: Date): Promise<number> => {
  const [row] = await sql<{ revision: number }[]>`
    insert into shipping.config (store, environment, revision, updated_at)
    values (${store}, ${environment}, 1, ${now})
    on conflict (store, environment) do update set revision = config.revision + 1
    returning revision`;
  return row!.revision;
};

interface ConfigText {
  /** Null: none was saved. */
  readonly text: Uint8Array | null;
  readonly updatedAt: Date;
}

export const findConfigText = async (sql: Sql, { store, environment }: Tenant): Promise<ConfigText | null> => {
  const [row] = await sql<{ document: Uint8Array | null; updated_at: Date }[]>`
    select document, updated_at from shipping.config where store = ${store} and environment = ${environment}`;
  if (!row) return null;
  const text = row.document && (await decompress(row.document, { maxOutputLength: DOCUMENT_BYTES_MAX }));
  return { text, updatedAt: row.updated_at };
};

/** Returns the configuration and revision; revision 0 if the tenant has never had one. */
export const findConfig = async (
  sql: Sql,
  { store, environment }: Tenant,
): Promise<{ revision: number; config: StoredConfig | null }> => {
  const [row] = await sql<{ revision: number; document: Uint8Array | null }[]>`
    select revision, document from shipping.config where store = ${store} and environment = ${environment}`;
  if (!row) return { revision: 0, config: null };
  if (!row.document) return { revision: row.revision, config: null };
  const text = await decompress(row.document, { maxOutputLength: DOCUMENT_BYTES_MAX });
  return { revision: row.revision, config: JSON.parse(new TextDecoder().decode(text)) as StoredConfig };
};

export const configRevisions = async (
  sql: Sql,
  tenants: readonly Tenant[],
): Promise<{ tenant: Tenant; revision: number }[]> => {
  const rows = await sql<(Tenant & { revision: number })[]>`
    select c.store, c.environment, c.revision
    from unnest(${tenants.map(({ store }) => store)}::uuid[], ${tenants.map(({ environment }) => environment)}::text[])
      as asked (store, environment)
    join shipping.config c on c.store = asked.store and c.environment = asked.environment`;
  return rows.map(({ revision, ...tenant }) => ({ tenant, revision }));
};
