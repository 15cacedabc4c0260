// Starts and ends sessions, for every way of signing in.
import type { SignedIn } from '#proto/gen/customer.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type CustomerRecord, customerDocument } from './customer.ts';
import { deviceOf, newSessionId, newTokens } from './session.ts';
import { deletePassword } from './table/customer.ts';
import { deleteSession, deleteSessionOf, deleteSessions, insertSession } from './table/session.ts';

/** `device` is the browser's name, if the store's server sent it. */
export const signIn = async (
  tx: Transaction,
  tenant: Tenant,
  customer: CustomerRecord,
  device: string | undefined,
): Promise<SignedIn> => {
  const now = tx.clock.now(tenant);
  const tokens = newTokens(now);
  await insertSession(
    tx.sql,
    tenant,
    { id: newSessionId(), customer: customer.id, device: deviceOf(device) },
    tokens,
    now,
  );
  return { customer: customerDocument(customer), session: tokens.response };
};

const notifyEdges = (tx: Transaction, notices: Notices, tenant: Tenant, sessions: readonly string[]): void =>
  tx.afterCommit(() => notices.publish({ kind: 'sessions', tenant, ids: sessions }));

export const endSession = async (tx: Transaction, notices: Notices, tenant: Tenant, session: string): Promise<void> => {
  await deleteSession(tx.sql, tenant, session);
  notifyEdges(tx, notices, tenant, [session]);
};

/** Ends one session of the customer; returns whether there was one. */
export const endSessionOf = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  customer: string,
  session: string,
): Promise<boolean> => {
  const ended = await deleteSessionOf(tx.sql, tenant, customer, session);
  if (ended) notifyEdges(tx, notices, tenant, [session]);
  return ended;
};

/**
 * Makes edges resolve all cached shoppers of the tenant again, including those that an external system authenticated.
 */
export const invalidateShoppers = (tx: Transaction, notices: Notices, tenant: Tenant): void =>
  notifyEdges(tx, notices, tenant, []);

/** Ends the customer's sessions, but for `except`, and returns their number. */
export const endSessions = async (
  tx: Transaction,
  notices: Notices,
  tenant: Tenant,
  customer: string,
  except: string | null,
): Promise<number> => {
  const ended = await deleteSessions(tx.sql, tenant, customer, except);
  if (ended.length > 0) notifyEdges(tx, notices, tenant, ended);
  return ended.length;
};

/**
 * Deletes the customer's password and ends all sessions. A concurrent login locks the password's row before it creates
 * a session, so the password is deleted first; no session can then be missed.
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
