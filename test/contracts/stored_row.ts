// Reads the database's rows of merchants, which show whether a request wrote anything, and for whom.
import type { Stoa } from '#test/support/stoa.ts';

/**
 * Tables that background work writes: counts, login attempts, outgoing events and mails, snapshots of actors, stock levels after holds
 * and sales. The catalogue's revision follows the store's profile a moment later. (A write to the catalogue itself shows in
 * its own tables.)
 */
const RESTLESS = [
  // This row holds the pushing process and its next push; sent products are noted meanwhile.
  'channel.channel',
  'channel.item',
  'catalog.held_change',
  'catalog.inventory',
  'catalog.on_hand_change',
  'catalog.revision',
  'customer.challenge',
  'customer.login_failure',
  'mail.message',
  'privacy.erasure',
  'privacy.export',
  'recommendation.interaction',
  'recommendation.availability',
  'report.counted',
  'report.progress',
  'report.return',
  'report.sale',
  'report.session',
  'report.started_checkout',
  'report.step',
  'review.deleted_customer',
  'review.rating',
  'review.state',
  'runtime.actor',
  'runtime.event',
  'runtime.outbox',
  // The last use is noted.
  'staff.session',
  'store.feature',
  'store.key_use',
  'webhook.delivery',
  'webhook.queue',
];

/** Expired rows of these tables are deleted once a minute: a row counts until a sweep. */
const SWEPT: Readonly<Record<string, string>> = {
  'connect.credential': "expires_at + interval '30 days' >= $2",
  'connect.grant': "created_at + interval '30 days' >= $2",
  'connect.session': "expires_at + interval '30 days' >= $2",
  'customer.session': 'expires_at >= $2',
  'customer.session_token': 'expires_at >= $2',
  'mail.message': "due_at + interval '7 days' >= $2",
  'runtime.idempotency': 'expires_at >= $2',
};

/** A store's rows as texts, which change as soon as any row is written or deleted. */
export interface StoreRows {
  readonly whole: string;
  readonly production: string;
  readonly sandbox: string;
}

/** Counts the rows of the stores that are named, all in one statement. */
export type StoredRows = (...stores: readonly string[]) => Promise<readonly StoreRows[]>;

interface Counted {
  readonly name: string;
  readonly store: string;
  /** Null in tables of what both environments share. */
  readonly environment: string | null;
  readonly rows: number;
  readonly newest: number;
}

export const openStoredRows = async (stoa: Stoa): Promise<StoredRows> => {
  const { sql } = stoa.services.runtime.postgres;
  const columns = await sql<{ name: string; column: string }[]>`
    select table_schema || '.' || table_name as name, column_name as column from information_schema.columns
    where table_schema not in ('pg_catalog', 'information_schema') and column_name in ('store', 'environment')`;
  const whole = new Set(columns.filter(({ column }) => column === 'environment').map(({ name }) => name));
  const parts = columns
    .filter(({ name, column }) => column === 'store' && !RESTLESS.includes(name))
    .map(
      ({ name }) =>
        `select '${name}' as name, store::text, ${whole.has(name) ? 'environment::text' : 'null'} as environment,
        count(*) as rows, max(xmin::text::bigint) as newest from ${name}
        where store = any($1) ${SWEPT[name] ? `and ${SWEPT[name]}` : ''} group by 2, 3`,
    );
  const text = `${parts.join(' union all ')} order by name, environment`;
  return async (...stores) => {
    // Planning it takes many times as long as counting a few rows.
    const rows = await sql.unsafe<Counted[]>(text, [[...stores], new Date(stoa.clock.real())], { prepare: true });
    const rowsOf = (store: string, environment?: string): string =>
      rows
        .filter((row) => row.store === store && (environment === undefined || row.environment === environment))
        .map((row) => `${row.name} ${row.environment} ${row.rows} ${row.newest}`)
        .join('\n');
    return stores.map((store) => ({
      whole: rowsOf(store),
      production: rowsOf(store, 'production'),
      sandbox: rowsOf(store, 'sandbox'),
    }));
  };
};
