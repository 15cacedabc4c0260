// SQL of the expiry of quotes, drafts and intents.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export type OfferKind = 'quote' | 'draft' | 'intent';

const open = (sql: Sql, kind: OfferKind) => {
  if (kind === 'quote') return sql`order_id is null and intent_id is null`;
  return kind === 'draft' ? sql`not converted and not cancelled` : sql`status = 'open'`;
};

const table = (sql: Sql, kind: OfferKind) => {
  if (kind === 'quote') return sql`agent.quote`;
  return kind === 'draft' ? sql`agent.draft` : sql`agent.intent`;
};

export interface IntentExpiry {
  readonly ended: number;
  readonly first: Date | null;
}

export const findExpiry = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: OfferKind,
  from: Date,
  until: Date,
): Promise<IntentExpiry> => {
  const [row] = await sql<IntentExpiry[]>`
    select count(*)::integer as ended, min(expires_at) as first from ${table(sql, kind)}
    where store = ${store} and environment = ${environment} and expires_at > ${from} and expires_at <= ${until}
      and ${open(sql, kind)}`;
  return row!;
};

/** Deletes at most `limit` expired quotes, drafts or intents from which no order came. Returns their number. */
export const deleteExpired =
  (kind: OfferKind) =>
  async (sql: Sql, before: Date, limit: number, store: string | null): Promise<number> => {
    const bought = kind === 'draft' ? sql`converted` : sql`order_id is not null`;
    const gone = await sql`
      delete from ${table(sql, kind)} where ctid = any(array(
        select ctid from ${table(sql, kind)} where expires_at < ${before} and not (${bought})
          ${store === null ? sql`` : sql`and store = ${store}`}
        limit ${limit}))`;
    return gone.count;
  };
