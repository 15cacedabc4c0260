// SQL of staff accounts, their recovery codes, failed sign-ins and failed codes.
import type { Sql } from '#runtime/postgres/sql.ts';
import { loginFailureTable } from '#services/commerce/login_failure_table.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';

export interface MemberRecord {
  readonly store: string;
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: StaffRole;
  readonly password: string;
  readonly totp_secret: Uint8Array | null;
  readonly totp_pending: Uint8Array | null;
  readonly totp_step: number;
  readonly created_at: Date;
  readonly last_signed_in_at: Date | null;
}

type NewMember = Pick<MemberRecord, 'store' | 'id' | 'email' | 'name' | 'role' | 'password' | 'created_at'>;

const columns = (sql: Sql) => sql`
  m.store, m.id, m.email, m.name, m.role, m.password, m.totp_secret, m.totp_pending, m.totp_step::integer as totp_step,
  m.created_at, m.last_signed_in_at`;

export const membersByEmail = (
  sql: Sql,
  email: string,
  store: string | null,
  limit: number,
): Promise<readonly MemberRecord[]> => sql<MemberRecord[]>`
  select ${columns(sql)} from staff.member as m
  where m.email = ${email} and (${store}::uuid is null or m.store = ${store})
  order by m.last_signed_in_at desc nulls last, m.created_at desc limit ${limit}`;

const RANK = ['owner', 'manager', 'catalogue', 'orders', 'support', 'analyst'];

export const membersOf = (sql: Sql, store: string): Promise<readonly MemberRecord[]> => sql<MemberRecord[]>`
  select ${columns(sql)} from staff.member as m where m.store = ${store}
  order by array_position(${RANK}::text[], m.role), m.email`;

export const findMember = async (sql: Sql, store: string, id: string): Promise<MemberRecord | null> => {
  const [member] = await sql<MemberRecord[]>`
    select ${columns(sql)} from staff.member as m where m.store = ${store} and m.id = ${id}`;
  return member ?? null;
};

/** Locks the account until the transaction ends, so that no code or password is checked against a former one. */
export const lockMember = async (sql: Sql, store: string, id: string): Promise<MemberRecord | null> => {
  const [member] = await sql<MemberRecord[]>`
    select ${columns(sql)} from staff.member as m where m.store = ${store} and m.id = ${id} for no key update`;
  return member ?? null;
};

export const emailIsTaken = async (sql: Sql, store: string, email: string): Promise<boolean> => {
  const found = await sql`select 1 from staff.member where store = ${store} and email = ${email}`;
  return found.length > 0;
};

export const countPlaces = async (sql: Sql, store: string): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    select ((select count(*) from staff.member where store = ${store})
      + (select count(*) from staff.invitation where store = ${store}))::integer as count`;
  return found!.count;
};

export const countOwners = async (sql: Sql, store: string): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from staff.member where store = ${store} and role = 'owner'`;
  return found!.count;
};

export const insertMember = async (sql: Sql, member: NewMember): Promise<void> => {
  await sql`insert into staff.member ${sql({ ...member })}`;
};

/** Leaves undefined fields as they are. */
export const updateMember = async (
  sql: Sql,
  { store, id }: Pick<MemberRecord, 'store' | 'id'>,
  { role, name }: { readonly role?: StaffRole | undefined; readonly name?: string | null | undefined },
): Promise<void> => {
  await sql`
    update staff.member set role = coalesce(${role ?? null}, role),
      name = case when ${name === undefined} then name else ${name ?? null} end
    where store = ${store} and id = ${id}`;
};

export const deleteMember = async (sql: Sql, store: string, id: string): Promise<boolean> => {
  const gone = await sql`delete from staff.member where store = ${store} and id = ${id}`;
  return gone.count > 0;
};

export const recordSignIn = async (sql: Sql, { store, id }: MemberRecord, at: Date): Promise<void> => {
  await sql`update staff.member set last_signed_in_at = ${at} where store = ${store} and id = ${id}`;
};

export const savePassword = async (sql: Sql, { store, id }: MemberRecord, password: string): Promise<void> => {
  await sql`update staff.member set password = ${password} where store = ${store} and id = ${id}`;
};

export const saveTotpPending = async (sql: Sql, { store, id }: MemberRecord, pending: Uint8Array): Promise<void> => {
  await sql`update staff.member set totp_pending = ${pending} where store = ${store} and id = ${id}`;
};

/** Null turns the second factor off. */
export const saveTotp = async (
  sql: Sql,
  { store, id }: MemberRecord,
  secret: Uint8Array | null,
  step: number,
): Promise<void> => {
  await sql`
    update staff.member set totp_secret = ${secret}, totp_pending = null, totp_step = ${step}
    where store = ${store} and id = ${id}`;
  await sql`delete from staff.recovery_code where store = ${store} and member = ${id}`;
};

export const saveTotpStep = async (sql: Sql, { store, id }: MemberRecord, step: number): Promise<void> => {
  await sql`update staff.member set totp_step = ${step} where store = ${store} and id = ${id}`;
};

export const insertRecoveryCodes = async (
  sql: Sql,
  { store, id: member }: MemberRecord,
  hashes: readonly Uint8Array[],
): Promise<void> => {
  await sql`insert into staff.recovery_code ${sql(hashes.map((hash) => ({ store, member, hash })))}`;
};

/** Deletes a recovery code; returns false for an unknown one. */
export const useRecoveryCode = async (sql: Sql, { store, id }: MemberRecord, hash: Uint8Array): Promise<boolean> => {
  const gone = await sql`
    delete from staff.recovery_code where store = ${store} and member = ${id} and hash = ${hash}`;
  return gone.count > 0;
};

export const { findFailures, lockFailures, updateFailures, deleteFailures, deleteOldFailures } =
  loginFailureTable('staff.login_failure');
