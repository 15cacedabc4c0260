// Creates stores by the thousand: the first one through the API, the others through the command line's rpc and with copies of
// the first one's rows.
import type { Sql } from '#runtime/postgres/sql.ts';
import type { BenchStore } from './stack.ts';

/** Rows of `runtime` are of processes and events, those of `store` came with the store, a ledger balances its own. */
const NOT_COPIED = ['runtime', 'store', 'ledger'];
const STORES_AT_ONCE = 50;

interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables of which every unique index begins with the store, so that a copy may have the same ids. */
const copiedTables = (sql: Sql): Promise<CopiedTable[]> => sql<CopiedTable[]>`
  select format('%I.%I', n.nspname, c.relname) as name, (
    select array_agg(attname::text) from pg_attribute
    where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' and attname <> 'store'
  ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'store' and not a.attisdropped
  where c.relkind = 'r' and n.nspname <> all(${NOT_COPIED}) and not exists (
    select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indkey[0] <> a.attnum)
  order by 1`;

export const openCopier = async (sql: Sql, from: BenchStore) => {
  const tables: CopiedTable[] = [];
  for (const table of await copiedTables(sql)) {
    const rows = await sql.unsafe(`select from ${table.name} where store = '${from.store_id}' limit 1`);
    if (rows.length > 0) tables.push(table);
  }
  return {
    tables: tables.map(({ name }) => name),
    copy: async (to: readonly BenchStore[]): Promise<void> => {
      for (let at = 0; at < to.length; at += STORES_AT_ONCE) {
        const stores = to.slice(at, at + STORES_AT_ONCE).map(({ store_id }) => `'${store_id}'`);
        for (const { name, columns } of tables) {
          const list = columns.map((column) => `"${column}"`).join(', ');
          await sql.unsafe(`
            insert into ${name} (store, ${list})
            select other, ${list} from ${name}, unnest(array[${stores}]::uuid[]) as other
            where store = '${from.store_id}'`);
        }
      }
      for (const name of tables.map((table) => table.name)) await sql.unsafe(`analyze ${name}`);
    },
  };
};
