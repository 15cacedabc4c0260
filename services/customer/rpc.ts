// The door of accounts: registering, signing in and out, and what edges ask of sessions.
import { randomUUID } from 'node:crypto';
import type { AuthRpcs, CustomerDirectoryRpcs, SessionDirectoryRpcs, SignedIn } from '#proto/gen/customer.ts';
import { notFound, refuse, type Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Handlers, query, transaction } from '#runtime/rpc.ts';
import { sha256 } from '#runtime/seal.ts';
import type { Transaction } from '#runtime/transaction.ts';
import { type CustomerRecord, shown } from './customer.ts';
import { accountEmail, accountHash } from './email.ts';
import { after, tooMany } from './login_failure.ts';
import type { Passwords } from './password.ts';
import { makeTokens, newSessionId } from './session.ts';
import {
  emailIsTaken,
  findAccount,
  findCustomer,
  holdPassword,
  insertCustomer,
  insertPassword,
} from './table/customer.ts';
import { findFailures, lockFailures, updateFailures } from './table/login_failure.ts';
import { deleteSession, findAccess, insertSession, useRefresh } from './table/session.ts';

/** First subject of a notice that tells edges of ended sessions; their ids follow, none: all of the tenant's. */
const SESSION_SUBJECT = 'session';

const TAKEN = refuse('conflict', 'There is an account with this e-mail address.', { param: 'email' });
/** One answer for an unknown address and a wrong password. */
const WRONG = refuse('unauthorized', 'The e-mail address or the password is wrong.');
const NO_REFRESH = refuse('unauthorized', 'The refresh token is not valid.', { hint: 'Sign in again.' });
const SIGNED_OUT = refuse('unauthorized', 'The session has ended.', { hint: 'Sign in again.' });

const signIn = async (tx: Transaction, tenant: Tenant, customer: CustomerRecord): Promise<SignedIn> => {
  const now = tx.clock.now(tenant);
  const tokens = makeTokens(now);
  await insertSession(tx.sql, tenant, { id: newSessionId(), customer: customer.id }, tokens, now);
  return { customer: shown(customer), session: tokens.told };
};

export const authHandlers = (foundation: Foundation, passwords: Passwords): Handlers<AuthRpcs> => {
  const { postgres, clock, notices } = foundation;

  /** All tokens of the session are of no use once this is committed, at every edge. */
  const end = async (tx: Transaction, tenant: Tenant, session: string): Promise<void> => {
    await deleteSession(tx.sql, tenant, session);
    tx.afterCommit(() => notices.publish({ tenant, revision: 0, subjects: [SESSION_SUBJECT, session] }));
  };

  return {
    // Hashing takes its time: it is done before the transaction, so that it holds no connection.
    Register: query(async (sql, { tenant }, input) => {
      const email = accountEmail(input.email);
      if (await emailIsTaken(sql, tenant, email)) return TAKEN;
      const hash = await passwords.hash(input.password);
      return postgres.transaction(async (tx) => {
        const now = clock.now(tenant);
        const customer: CustomerRecord = {
          id: randomUUID(),
          external_id: null,
          email,
          first_name: input.first_name ?? null,
          last_name: input.last_name ?? null,
          phone: input.phone ?? null,
          customer_group: null,
          addresses: [],
          metadata: {},
          created_at: now,
          updated_at: now,
        };
        if (!(await insertCustomer(tx.sql, tenant, customer))) return TAKEN;
        await insertPassword(tx.sql, tenant, customer.id, hash, now);
        await tx.emit(tenant, [{ type: 'customer.created', object: shown(customer) }]);
        return signIn(tx, tenant, customer);
      });
    }),

    Login: query(async (sql, { tenant }, input) => {
      const email = accountEmail(input.email);
      const name = accountHash(email);
      const [account, failures] = await Promise.all([findAccount(sql, tenant, email), findFailures(sql, tenant, name)]);
      const early = tooMany(failures, clock.real());
      if (early) return early;
      const right = await passwords.verify(input.password, account?.hash ?? null);
      // Judged once more under a lock: of many guesses sent at once no more are answered than one after the other.
      const signedIn = await postgres.transaction(async (tx) => {
        const nowMs = clock.real();
        const counted = await lockFailures(tx.sql, tenant, name, !right, new Date(nowMs));
        const refusal = tooMany(counted, nowMs);
        if (refusal) return refusal;
        const next = after(counted, right, nowMs);
        if (next) await updateFailures(tx.sql, tenant, name, next, new Date(nowMs));
        // Whoever changes the password ends all sessions; none may begin with the old one behind his back.
        if (!right || !(await holdPassword(tx.sql, tenant, account!.id, account!.hash!))) return null;
        return signIn(tx, tenant, account!);
      });
      return signedIn ?? WRONG;
    }),

    Refresh: query(async (_sql, { tenant }, { refresh_token }) => {
      const hash = sha256(refresh_token);
      const tokens = makeTokens(clock.now(tenant));
      const signedIn = await postgres.transaction(async (tx): Promise<SignedIn | null> => {
        const found = await useRefresh(tx.sql, tenant, hash, tokens, clock.now(tenant));
        if (found?.outcome === 'prolonged') return { customer: shown(found.customer), session: tokens.told };
        // Used before: by the customer or by a thief, nobody knows by whom, so it ends for both.
        if (found?.outcome === 'reused') await end(tx, tenant, found.session);
        return null;
      });
      return signedIn ?? NO_REFRESH;
    }),

    Logout: transaction(async (tx, { tenant, customerSession }) => {
      if (customerSession === null) return SIGNED_OUT;
      await end(tx, tenant, customerSession);
      return { logged_out: true };
    }),

    GetMe: query(async (sql, { tenant, customer: id }) => {
      const customer = id === null ? null : await findCustomer(sql, tenant, id);
      return customer === null ? SIGNED_OUT : { customer: shown(customer) };
    }),
  };
};

export const sessionHandlers = ({ clock }: Foundation): Handlers<SessionDirectoryRpcs> => ({
  ResolveSession: query(async (sql, { tenant }, { token_hash }) => {
    const now = clock.now(tenant);
    const found = await findAccess(sql, tenant, Buffer.from(token_hash, 'hex'), now);
    if (found === null) return notFound('session');
    return {
      customer_id: found.customer,
      session_id: found.session,
      expires_at: found.expires_at.toISOString(),
      remaining_ms: found.expires_at.getTime() - now.getTime(),
    };
  }),
});

export const customerDirectoryHandlers: Handlers<CustomerDirectoryRpcs> = {
  FindCustomer: query(async (sql, { tenant }, { customer_id }) => {
    const found = await findCustomer(sql, tenant, customer_id);
    return found === null ? notFound('customer', 'customer_id') : { customer: shown(found) };
  }),
};
