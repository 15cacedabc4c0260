// SQL of sessions of the dashboard.
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';

export interface StaffSessionRecord {
  readonly store: string;
  readonly id: string;
  readonly member: string;
  readonly began_with: 'password' | 'link';
  readonly network: string;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly last_used_at: Date;
}

/** A session is open if it was last used and created after these times. */
export interface OpenSince {
  readonly usedAfter: Date;
  readonly createdAfter: Date;
}

const columns = (sql: Sql) => sql`store, id, member, began_with, network, user_agent, created_at, last_used_at`;

/** Inserts a session, and ends those of the account beyond `max` that were used least recently. */
export const insertSession = async (
  sql: Sql,
  session: StaffSessionRecord,
  hash: Uint8Array,
  max: number,
): Promise<readonly string[]> => {
  await sql`insert into staff.session ${sql({ ...session, hash })}`;
  const ended = await sql<{ id: string }[]>`
    delete from staff.session where store = ${session.store} and id in (
      select id from staff.session where store = ${session.store} and member = ${session.member}
      order by last_used_at desc, created_at desc offset ${max})
    returning id`;
  return ended.map(({ id }) => id);
};

export interface ResolvedStaffSession {
  readonly store: string;
  readonly id: string;
  readonly member: string;
  readonly role: StaffRole;
  readonly name: string;
  readonly created_at: Date;
}

export const findByToken = async (
  sql: Sql,
  hash: Uint8Array,
  { usedAfter, createdAfter }: OpenSince,
): Promise<ResolvedStaffSession | null> => {
  const [found] = await sql<ResolvedStaffSession[]>`
    select s.store, s.id, s.member, s.created_at, m.role, m.name
    from staff.session as s join staff.member as m on m.store = s.store and m.id = s.member
    where s.hash = ${hash} and s.last_used_at > ${usedAfter} and s.created_at > ${createdAfter}`;
  return found ?? null;
};

export const recordUse = async (sql: Sql, { store, id }: ResolvedStaffSession, at: Date): Promise<void> => {
  await sql`update staff.session set last_used_at = ${at} where store = ${store} and id = ${id}`;
};

export const findSession = async (
  sql: Sql,
  store: string,
  id: string,
  { usedAfter, createdAfter }: OpenSince,
): Promise<StaffSessionRecord | null> => {
  const [found] = await sql<StaffSessionRecord[]>`
    select ${columns(sql)} from staff.session
    where store = ${store} and id = ${id} and last_used_at > ${usedAfter} and created_at > ${createdAfter}`;
  return found ?? null;
};

export const sessionsOf = (
  sql: Sql,
  store: string,
  member: string,
  { usedAfter, createdAfter }: OpenSince,
): Promise<readonly StaffSessionRecord[]> => sql<StaffSessionRecord[]>`
  select ${columns(sql)} from staff.session
  where store = ${store} and member = ${member} and last_used_at > ${usedAfter} and created_at > ${createdAfter}
  order by last_used_at desc, id`;

export const deleteSession = async (sql: Sql, store: string, id: string, member: string | null): Promise<boolean> => {
  const gone = await sql`
    delete from staff.session
    where store = ${store} and id = ${id} and (${member}::uuid is null or member = ${member})`;
  return gone.count > 0;
};

export const deleteSessions = async (sql: Sql, store: string, member: string, except: string): Promise<void> => {
  await sql`delete from staff.session where store = ${store} and member = ${member} and id <> ${except}`;
};

export const deleteEndedSessions = (sql: Sql, { usedAfter, createdAfter }: OpenSince): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from staff.session where ctid = any(array(
        select ctid from staff.session where last_used_at <= ${usedAfter} or created_at <= ${createdAfter} limit ${limit}))`;
    return gone.count;
  });
