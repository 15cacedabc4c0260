// Stores with copies of another one's rows, ids included, in both environments: a lookup by id alone would mix them up.
import { NO_STORE, NO_TENANT, type Tenant } from '#runtime/call/call.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { SEALED as CHANNEL } from '#services/channel/index.ts';
import { SEALED as LEDGER } from '#services/ledger/index.ts';
import { SEALED as PAYMENT } from '#services/payment/index.ts';
import { SEALED as SHIPPING } from '#services/shipping/index.ts';
import { SEALED as WEBHOOK } from '#services/webhook/index.ts';
import { ok } from '#test/support/reply.ts';
import { MASTER_KEY, type Stoa } from '#test/support/stoa.ts';
import type { Owner } from './owner.ts';

/** Schemas and tables with rows of the store's creation, or without rows by store. */
const OWN =
  /^(runtime|sandbox|store)\.|^mail\.(message|bounce_address)$|^connect\.(client|credential|session)$|^webhook\.(delivery|queue)$|^search\.|_change$/;
const SEALED: readonly SealedColumn[] = [...CHANNEL, ...LEDGER, ...PAYMENT, ...SHIPPING, ...WEBHOOK];

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const tablesOf = async (sql: Sql): Promise<readonly Table[]> => {
  const tables = await sql<Table[]>`
    select table_schema || '.' || table_name as name, array_agg(column_name::text) as columns
    from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema') and is_identity = 'NO' and is_generated = 'NEVER'
    group by 1`;
  return tables.filter(({ name, columns }) => columns.includes('environment') && !OWN.test(name));
};

interface Place {
  readonly store: string;
  readonly operator: string;
  readonly environment: Tenant['environment'];
}

/** Rows that would be one with another of a unique key are left out. */
const copy = async (sql: Sql, { name, columns }: Table, from: Place, to: Place): Promise<void> => {
  const quoted = columns.map((column) => `"${column}"`);
  const read = columns.map((column) =>
    column === 'store'
      ? '$1::uuid'
      : column === 'operator'
        ? '$2::uuid'
        : column === 'environment'
          ? '$3'
          : `"${column}"`,
  );
  const [owner, whose] = columns.includes('operator') ? ['operator', from.operator] : ['store', from.store];
  await sql.unsafe(
    `insert into ${name} (${quoted.join()}) select ${read.join()} from ${name}
     where ${owner} = $4::uuid and environment = $5 and $1::uuid is not null and $2::uuid is not null
     on conflict do nothing`,
    [to.store, to.operator, to.environment, whose, from.environment],
  );
};

const reseal = async (
  sql: Sql,
  { table, column, id, context }: SealedColumn,
  from: Tenant,
  to: Tenant,
): Promise<void> => {
  const seal = openSeal(MASTER_KEY);
  const rows = await sql<{ id: string; sealed: Uint8Array }[]>`
    select ${sql(id!)}::text as id, ${sql(column)} as sealed from ${sql(table)}
    where store = ${from.store} and environment = ${from.environment} and octet_length(${sql(column)}) > 0`;
  for (const { id: name, sealed } of rows)
    await sql`
      update ${sql(table)} set ${sql(column)} = ${seal.close(seal.openBytes(sealed, context(from, name)), context(to, name))}
      where store = ${to.store} and environment = ${to.environment} and ${sql(id!)}::text = ${name}`;
};

const operatorOf = async (sql: Sql, store: string): Promise<string> => {
  const [row] = await sql<{ operator: string }[]>`select operator from store.operator_store where store = ${store}`;
  return row!.operator;
};

/** The source's sandbox holds what its production does, and nothing else. Returns its operator. */
export const fillSandbox = async (stoa: Stoa, { keys }: Owner): Promise<string> => {
  const { sql } = stoa.services.runtime.postgres;
  const operator = await operatorOf(sql, keys.store_id);
  for (const { name, columns } of await tablesOf(sql))
    for (const column of ['store', 'operator'].filter((each) => columns.includes(each)))
      await sql.unsafe(`delete from ${name} where environment = 'sandbox' and ${column} = any($1::uuid[])`, [
        [keys.store_id, operator],
      ]);
  for (const place of [
    { store: keys.store_id, operator },
    { store: operator, operator: NO_STORE },
  ])
    await copyAll(stoa, { ...place, environment: 'production' }, { ...place, environment: 'sandbox' });
  return operator;
};

const copyAll = async (stoa: Stoa, from: Place, to: Place): Promise<void> => {
  const { postgres } = stoa.services.runtime;
  const tables = await tablesOf(postgres.sql);
  await postgres.transaction(async ({ sql }) => {
    // Rows come in any order.
    await sql`set local session_replication_role = replica`;
    for (const table of tables) await copy(sql, table, from, to);
    for (const column of SEALED) await reseal(sql, column, from, to);
  });
};

/** The ids that stand anywhere in the rows of a store, and those of all stores and operators. */
export const idsOf = async (stoa: Stoa, { keys }: Owner): Promise<ReadonlySet<string>> => {
  const { sql } = stoa.services.runtime.postgres;
  const owners = await sql<{ id: string }[]>`select id from store.store union select id from store.operator`;
  const found = new Set(owners.map(({ id }) => id));
  for (const { name } of (await tablesOf(sql)).filter(({ columns }) => columns.includes('store'))) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select to_jsonb(own)::text as row from ${name} as own where store = $1::uuid`,
      [keys.store_id],
    );
    for (const { row } of rows) for (const id of row.match(UUID_PATTERN) ?? []) found.add(id);
  }
  return found;
};

export const UUID_PATTERN = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A store with the rows that the source has, and an operator with those that `first` has; its merchants are both stores. */
export const copyOwner = async (stoa: Stoa, source: Owner, first: string): Promise<Owner> => {
  const keys = await stoa.createStore({ wholesale: true, plan: 'enterprise' });
  const stores = [source.keys.store_id, keys.store_id];
  const made = await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, { name: 'Mall', stores });
  const { operator_id: operator, operator_key: operatorKey, operator_test_key: operatorTestKey } = ok(made);
  for (const environment of ['production', 'sandbox'] as const) {
    const from = { store: source.keys.store_id, operator: first, environment };
    await copyAll(stoa, from, { store: keys.store_id, operator, environment });
    await copyAll(
      stoa,
      { store: first, operator: NO_STORE, environment },
      { store: operator, operator: NO_STORE, environment },
    );
  }
  return { ...source, keys, operatorKey, operatorTestKey };
};
