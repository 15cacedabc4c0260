// SQL that deletes or copies the rows of one tenant in any table.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const ROWS_MAX = 500;

const NAME = /^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/;

const quoted = (table: string): string => {
  if (!NAME.test(table)) throw new Error(`${table} is no name of a table.`);
  return table.replace(/(\w+)/g, '"$1"');
};

const sandboxOnly = ({ store, environment }: Tenant): string => {
  if (environment !== 'sandbox') throw new Error('Only a sandbox is reset.');
  return store;
};

export const clearTable = async (sql: Sql, tenant: Tenant, table: string): Promise<void> => {
  const store = sandboxOnly(tenant);
  for (;;) {
    const { count } = await sql.unsafe(
      `delete from ${quoted(table)} where ctid = any(array(
         select ctid from ${quoted(table)} where store = $1 and environment = 'sandbox' limit ${ROWS_MAX}))`,
      [store],
    );
    if (count < ROWS_MAX) return;
  }
};

interface Column {
  readonly name: string;
  readonly place: number | null;
  readonly counted: boolean;
}

/**
 * Copies production's undeleted rows with the same ids; `instead` maps columns to SQL expressions for their new values.
 */
export const copyTable = async (
  sql: Sql,
  tenant: Tenant,
  table: string,
  instead: Readonly<Record<string, string>>,
): Promise<void> => {
  const store = sandboxOnly(tenant);
  const columns = await sql<Column[]>`
    select a.attname as name, array_position(k.conkey, a.attnum) as place, a.attidentity <> '' as counted
    from pg_attribute a
    left join pg_constraint k on k.conrelid = a.attrelid and k.contype = 'p'
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`;
  const copied = columns.filter(({ counted }) => !counted);
  const names = copied.map(({ name }) => `"${name}"`);
  const values = copied.map(({ name }) => (name === 'environment' ? `'sandbox'` : (instead[name] ?? `"${name}"`)));
  const order = columns.filter(({ place }) => place !== null).sort((a, b) => a.place! - b.place!);
  const live = columns.some(({ name }) => name === 'deleted_at') ? 'and deleted_at is null' : '';
  for (let offset = 0; ; offset += ROWS_MAX) {
    const { count } = await sql.unsafe(
      `insert into ${quoted(table)} (${names.join(', ')})
       select ${values.join(', ')} from ${quoted(table)} where store = $1 and environment = 'production' ${live}
       order by ${order.map(({ name }) => `"${name}"`).join(', ')} limit ${ROWS_MAX} offset ${offset}`,
      [store],
    );
    if (count < ROWS_MAX) return;
  }
};
