// How sessions begin and end, whatever a customer signed in with.
import type { SignedIn } from '#proto/gen/customer.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type CustomerRecord, shown } from './customer.ts';
import { makeTokens, newSessionId } from './session.ts';
import { deletePassword } from './table/customer.ts';
import { deleteSession, deleteSessions, insertSession } from './table/session.ts';

export const signIn = async (tx: Transaction, tenant: Tenant, customer: CustomerRecord): Promise<SignedIn> => {
  const now = tx.clock.now(tenant);
  const tokens = makeTokens(now);
  await insertSession(tx.sql, tenant, { id: newSessionId(), customer: customer.id }, tokens, now);
  return { customer: shown(customer), session: tokens.told };
};

const tell = (tx: Transaction, notices: Notices, tenant: Tenant, sessions: readonly string[]): void =>
  tx.afterCommit(() => notices.publish({ kind: 'sessions', tenant, ids: sessions }));

/** All tokens of the session are of no use once this is committed, at every edge. */
export const endSession = async (tx: Transaction, notices: Notices, tenant: Tenant, session: string): Promise<void> => {
  await deleteSession(tx.sql, tenant, session);
  tell(tx, notices, tenant, [session]);
};

/** Edges look at all shoppers of the tenant anew, at those of other systems too. */
export const forgetShoppers = (tx: Transaction, notices: Notices, tenant: Tenant): void =>
  tell(tx, notices, tenant, []);

/** Ends all sessions of a customer but one. */
export const endSessions = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  customer: string,
  except: string | null,
): Promise<void> => {
  const ended = await deleteSessions(tx.sql, tenant, customer, except);
  if (ended.length > 0) tell(tx, notices, tenant, ended);
};

/**
 * Ends all that opened an account. The password goes first: a login under way holds it, and its session is there to be ended
 * once the password is gone.
 */
export const endCredentials = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  customer: string,
): Promise<void> => {
  await deletePassword(tx.sql, tenant, customer);
  await endSessions(tx, notices, tenant, customer, null);
};
