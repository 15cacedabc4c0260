// Checks unique keys of all tables: store and environment come first, so that a value that one tenant chooses is free for all
// others.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

/** Keys that others lead, and why. The list may only shrink. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'connect.client client_pkey': 'an id that the house draws; a client may be of no store',
  'connect.credential credential_pkey': 'a digest of a secret that the house draws, by which the tenant is found',
  'connect.session session_ticket_hash_key': 'the same',
  'marketplace.section section_pkey': 'an operator is the tenant',
  'orders.checkout_group checkout_group_pkey': 'an operator is the tenant',
  'orders.checkout_order checkout_order_operator_environment_group_id_position_key': 'an operator is the tenant',
  'payment.payment payment_simulated':
    'a reference that the house draws, by which the simulator’s page finds the tenant',
  'report.backfill backfill_pkey': 'the whole house’s',
  'runtime.dead_event dead_event_pkey': 'an event’s id, which the house draws',
  'runtime.inbox inbox_pkey': 'the same',
  'runtime.layout layout_pkey': 'the whole house’s',
  'runtime.migration migration_pkey': 'the whole house’s',
  'runtime.outbox outbox_pkey': 'the place in a line, which the database counts',
  'runtime.partition partition_pkey': 'the whole house’s',
  'staff.invitation invitation_hash_key': 'a digest of a secret that the house draws, by which the store is found',
  'staff.link link_pkey': 'the same',
  'staff.session session_hash_key': 'the same',
  'store.api_key api_key_hash_key': 'a digest of the key by which the tenant is found',
  'store.api_key api_key_pkey': 'an id that the house draws',
  'store.domain domain_pkey': 'a domain is one store’s in the whole internet',
  'store.operator operator_pkey': 'an operator is the tenant',
  'store.operator_store operator_store_pkey': 'an operator is the tenant',
  'store.store store_code_key': 'a code is one store’s in every address',
  'store.store store_pkey': 'it is the store',
};

/** Tables of what both environments of a store share. */
const SHARED: readonly string[] = [
  'staff.invitation',
  'staff.member',
  'staff.recovery_code',
  'staff.session',
  'store.policy_draft',
  'store.policy_version',
];

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

interface UniqueKey {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

test('every unique key begins with the store and the environment', async () => {
  const keys = await postgres.sql<UniqueKey[]>`
    select namespace.nspname || '.' || class.relname as table, index_class.relname as name, (
      select array_agg(coalesce(attribute.attname, '') order by place)
      from unnest(index.indkey::smallint[]) with ordinality as part (number, place)
      left join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum = part.number
    )::text[] as columns
    from pg_index as index
    join pg_class as class on class.oid = index.indrelid
    join pg_class as index_class on index_class.oid = index.indexrelid
    join pg_namespace as namespace on namespace.oid = class.relnamespace
    where index.indisunique and namespace.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`;
  expect(keys.length).toBeGreaterThan(100);
  const led = ({ table, columns }: UniqueKey): boolean =>
    columns[0] === 'store' && (columns[1] === 'environment' || SHARED.includes(table));
  const others = keys.filter((key) => !led(key)).map(({ table, name }) => `${table} ${name}`);
  expect(others.sort()).toEqual(Object.keys(OTHERWISE).sort());
});
