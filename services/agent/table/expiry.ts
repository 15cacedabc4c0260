// SQL of when quotes, drafts and intents end by time alone.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export type Promised = 'quote' | 'draft' | 'intent';

/** Those that would end: what was used, converted, completed or cancelled has ended already. */
const open = (sql: Sql, kind: Promised) => {
  if (kind === 'quote') return sql`order_id is null and intent_id is null`;
  return kind === 'draft' ? sql`not converted and not cancelled` : sql`status = 'open'`;
};

const table = (sql: Sql, kind: Promised) => {
  if (kind === 'quote') return sql`agent.quote`;
  return kind === 'draft' ? sql`agent.draft` : sql`agent.intent`;
};

export interface IntentExpiry {
  readonly ended: number;
  readonly first: Date | null;
}

/** How many end after `from` and by `until`, and when the first one does. */
export const findExpiry = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: Promised,
  from: Date,
  until: Date,
): Promise<IntentExpiry> => {
  const [row] = await sql<IntentExpiry[]>`
    select count(*)::integer as ended, min(expires_at) as first from ${table(sql, kind)}
    where store = ${store} and environment = ${environment} and expires_at > ${from} and expires_at <= ${until}
      and ${open(sql, kind)}`;
  return row!;
};

/**
 * Forgets those of a kind that ended before and became no order, at most a bounded number; how many. What an order came
 * from is kept with it.
 */
export const forgetPromises =
  (kind: Promised) =>
  async (sql: Sql, before: Date, limit: number): Promise<number> => {
    const bought = kind === 'draft' ? sql`converted` : sql`order_id is not null`;
    const gone = await sql`
      delete from ${table(sql, kind)} where ctid = any(array(
        select ctid from ${table(sql, kind)} where expires_at < ${before} and not (${bought}) limit ${limit}))`;
    return gone.count;
  };
