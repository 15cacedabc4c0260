// The session and account behind a call of the dashboard, as the database has them now.
import { type Call, refuse } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { findMember, lockMember, type MemberRecord } from './table/member.ts';
import { findSession, type StaffSessionRecord } from './table/session.ts';

/** Time without a request after which a session ends. */
export const IDLE_MS = 12 * 3_600_000;

export const SIGNED_OUT = refuse('unauthorized', 'The session has ended.', { hint: 'Sign in again.' });

export interface CurrentSession {
  readonly session: StaffSessionRecord;
  readonly member: MemberRecord;
}

/** Null where the session has ended since the edge resolved it. `lock` locks the account until the transaction ends. */
export const currentSession = async (
  sql: Sql,
  { tenant: { store }, staffSession }: Call,
  now: Date,
  lock = false,
): Promise<CurrentSession | null> => {
  if (staffSession === null) return null;
  const session = await findSession(sql, store, staffSession, new Date(now.getTime() - IDLE_MS));
  const member = session && (await (lock ? lockMember : findMember)(sql, store, session.member));
  return session && member && { session, member };
};
