// SQL of invitations and of mailed links.
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';

export interface InvitationRecord {
  readonly store: string;
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: StaffRole;
  readonly created_at: Date;
  readonly expires_at: Date;
}

const columns = (sql: Sql) => sql`store, id, email, name, role, created_at, expires_at`;

/** Replaces the address's former invitation. */
export const insertInvitation = async (sql: Sql, invitation: InvitationRecord, hash: Uint8Array): Promise<void> => {
  await sql`delete from staff.invitation where store = ${invitation.store} and email = ${invitation.email}`;
  await sql`insert into staff.invitation ${sql({ ...invitation, hash })}`;
};

export const openInvitations = (sql: Sql, store: string, now: Date): Promise<readonly InvitationRecord[]> => sql<
  InvitationRecord[]
>`
  select ${columns(sql)} from staff.invitation where store = ${store} and expires_at > ${now}
  order by created_at desc, id desc`;

export const findInvitation = async (sql: Sql, hash: Uint8Array, now: Date): Promise<InvitationRecord | null> => {
  const [found] = await sql<InvitationRecord[]>`
    select ${columns(sql)} from staff.invitation where hash = ${hash} and expires_at > ${now}`;
  return found ?? null;
};

/** Deletes a valid invitation and returns it; only one of several concurrent callers gets it. */
export const useInvitation = async (sql: Sql, hash: Uint8Array, now: Date): Promise<InvitationRecord | null> => {
  const [used] = await sql<InvitationRecord[]>`
    delete from staff.invitation where hash = ${hash} and expires_at > ${now} returning ${columns(sql)}`;
  return used ?? null;
};

export const deleteInvitation = async (sql: Sql, store: string, id: string, now: Date): Promise<boolean> => {
  const gone = await sql`
    delete from staff.invitation where store = ${store} and id = ${id} and expires_at > ${now}`;
  return gone.count > 0;
};

export const deleteExpiredInvitations = (sql: Sql, now: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from staff.invitation where ctid = any(array(
        select ctid from staff.invitation where expires_at <= ${now} limit ${limit}))`;
    return gone.count;
  });
