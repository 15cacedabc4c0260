// SQL of the steps that storefront sessions have reached.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface SessionSteps {
  /** In hex. */
  readonly session: string;
  /** Bits. */
  readonly steps: number;
}

export const findSessions = (
  sql: Sql,
  { store, environment }: Tenant,
  sessions: readonly string[],
): Promise<readonly SessionSteps[]> => sql<SessionSteps[]>`
  select encode(session, 'hex') as session, steps from report.session
  where store = ${store} and environment = ${environment}
    and session in (select decode(name, 'hex') from unnest(${[...sessions]}::text[]) as name)`;

export const saveSessions = async (
  sql: Sql,
  { store, environment }: Tenant,
  sessions: readonly (SessionSteps & { readonly seenAt: Date })[],
): Promise<void> => {
  await sql`
    insert into report.session as known (store, environment, session, steps, seen_at)
    select ${store}, ${environment}, decode(name, 'hex'), steps, seen_at
    from unnest(${sessions.map(({ session }) => session)}::text[], ${sessions.map(({ steps }) => steps)}::smallint[],
      ${sessions.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[]) as given (name, steps, seen_at)
    order by name
    on conflict (store, environment, session) do update set steps = known.steps | excluded.steps,
      seen_at = greatest(known.seen_at, excluded.seen_at)`;
};

export const forgetSessions = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from report.session where ctid = any(array(
      select ctid from report.session where seen_at < ${before} limit ${limit}))`;
  return gone.count;
};
