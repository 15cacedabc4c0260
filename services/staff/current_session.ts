// The session and account behind a call of the dashboard, as the database has them now.
import { type Call, refuse } from '#runtime/call/call.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { findMember, lockMember, type MemberRecord } from './table/member.ts';
import { findSession, type OpenSince, type StaffSessionRecord } from './table/session.ts';

/** Times after which a session ends: without a request, and after its beginning, however often it is used. */
export const IDLE_MS = 12 * 3_600_000;
const LIFETIME_MS = 30 * 86_400_000;

/** Returns the times after which a session that is open at `nowMs` was last used and created. */
export const openSince = (nowMs: number): OpenSince => ({
  usedAfter: new Date(nowMs - IDLE_MS),
  createdAfter: new Date(nowMs - LIFETIME_MS),
});

/** Returns the ms until a session that is used at `nowMs`, and not again, ends. */
export const remainingMs = (createdAt: Date, nowMs: number): number =>
  Math.min(IDLE_MS, createdAt.getTime() + LIFETIME_MS - nowMs);

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
  const session = await findSession(sql, store, staffSession, openSince(now.getTime()));
  const member = session && (await (lock ? lockMember : findMember)(sql, store, session.member));
  return session && member && { session, member };
};

/** Milliseconds that a caller waits for other hosts, which pass the notice on to their edges. */
const FOLLOW_MS = 1_000;

/** Makes edges resolve a store's sessions again, after one of them or an account has changed. */
export const publishStaffChange = (tx: Transaction, notices: Notices, store: string): void =>
  tx.afterCommit(() =>
    notices.publishAcknowledged({ kind: 'staff', tenant: { store, environment: 'production' } }, FOLLOW_MS),
  );
