// SQL of mailed links that sign in once.
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { MemberRecord } from './member.ts';

export const insertLink = async (
  sql: Sql,
  member: Pick<MemberRecord, 'store' | 'id'> | null,
  hash: Uint8Array,
  createdAt: Date,
  expiresAt: Date,
): Promise<void> => {
  await sql`
    insert into staff.link (hash, store, member, created_at, expires_at)
    values (${hash}, ${member?.store ?? null}, ${member?.id ?? null}, ${createdAt}, ${expiresAt})`;
};

export const countLinksSince = async (
  sql: Sql,
  { store, id }: Pick<MemberRecord, 'store' | 'id'>,
  since: Date,
): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from staff.link
    where store = ${store} and member = ${id} and created_at > ${since}`;
  return found!.count;
};

/** Locks a valid link until the transaction ends, so that only one of several concurrent callers uses it. */
export const lockLink = async (
  sql: Sql,
  hash: Uint8Array,
  now: Date,
): Promise<Pick<MemberRecord, 'store' | 'id'> | null> => {
  const [found] = await sql<Pick<MemberRecord, 'store' | 'id'>[]>`
    select store, member as id from staff.link
    where hash = ${hash} and expires_at > ${now} and member is not null for update`;
  return found ?? null;
};

/** A used link stays without its hash's validity, so that mails of an address are still counted. */
export const useLink = async (sql: Sql, hash: Uint8Array, now: Date): Promise<void> => {
  await sql`update staff.link set expires_at = ${now} where hash = ${hash}`;
};

export const endLinks = async (sql: Sql, { store, id }: MemberRecord, now: Date): Promise<void> => {
  await sql`
    update staff.link set expires_at = ${now} where store = ${store} and member = ${id} and expires_at > ${now}`;
};

export const deleteOldLinks = (sql: Sql, createdBefore: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from staff.link where ctid = any(array(
        select ctid from staff.link where created_at < ${createdBefore} limit ${limit}))`;
    return gone.count;
  });
