// Handlers of Auth for accounts and sessions, of SessionDirectory for edges, and of CustomerDirectory for domains.
import type { AuthRpcs, SignedIn } from '#proto/gen/customer.ts';
import type { CustomerDirectoryRpcs, SessionDirectoryRpcs } from '#proto/gen/customer_directory.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { passwordFailureKey, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import type { Passwords } from '#services/commerce/password.ts';
import { normalEmail } from '#values/text.ts';
import type { Assertions } from './assertion.ts';
import { challengeHandlers } from './challenge_rpc.ts';
import { customerDocument, newCustomer } from './customer.ts';
import { deviceOf, newTokens } from './session.ts';
import { shopperHandlers } from './shopper.ts';
import { endSession, endSessions, signIn } from './sign_in.ts';
import { customerOfAssertion } from './subject.ts';
import { deleteChallenges } from './table/challenge.ts';
import {
  emailIsTaken,
  findCustomer,
  findPassword,
  insertCustomer,
  lockPassword,
  replacePassword,
  savePassword,
} from './table/customer.ts';
import { findFailures, findLogin, lockFailures, updateFailures } from './table/login.ts';
import { findAccess, useRefresh } from './table/session.ts';

const EMAIL_TAKEN = refuse('conflict', 'An account has this e-mail address. Sign in, or send a different email.', {
  param: 'email',
});
/** The same refusal for an unknown address and a wrong password. */
const WRONG_LOGIN = refuse('unauthorized', 'The e-mail address or the password is wrong.');
const WRONG_CURRENT_PASSWORD = refuse('unauthorized', 'The current password is wrong.', { param: 'current_password' });
const INVALID_REFRESH_TOKEN = refuse('unauthorized', 'The refresh token is unknown, used or expired.', {
  hint: 'Sign in again.',
});
const SIGNED_OUT = refuse('unauthorized', 'The session has ended.', { hint: 'Sign in again.' });

export const authHandlers = (runtime: Runtime, passwords: Passwords): Handlers<AuthRpcs> => {
  const { postgres, clock, notices } = runtime;

  /**
   * Counts a verified login under a lock, so that concurrent guesses are counted one after the other. Returns null if
   * the password was wrong; runs `run` in the same transaction if it was right.
   */
  const countLogin = <T>(
    tenant: Tenant,
    account: Uint8Array,
    right: boolean,
    run: (tx: Transaction) => Promise<T | null>,
  ): Promise<T | Refusal | null> =>
    postgres.transaction(async (tx): Promise<T | Refusal | null> => {
      const nowMs = clock.real();
      const counted = await lockFailures(tx.sql, tenant, account, !right, new Date(nowMs));
      const refusal = refuseIfSlowed(counted, nowMs);
      if (refusal) return refusal;
      const next = recordLogin(counted, right, nowMs);
      if (next) await updateFailures(tx.sql, tenant, account, next, new Date(nowMs));
      return right ? run(tx) : null;
    }, tenant);

  return {
    // Hashes before the transaction, because hashing is slow and would occupy a connection.
    Register: query(async (sql, { tenant }, input) => {
      if (passwords.full) return passwords.full;
      const email = normalEmail(input.email);
      if (await emailIsTaken(sql, tenant, email)) return EMAIL_TAKEN;
      const hash = await passwords.hash(input.password);
      if (hash instanceof Refusal) return hash;
      return postgres.transaction(async (tx) => {
        const now = clock.now(tenant);
        const { first_name, last_name, phone, language } = input;
        const customer = newCustomer({ email, first_name, last_name, phone, language }, now);
        if ((await insertCustomer(tx.sql, tenant, customer)) !== null) return EMAIL_TAKEN;
        await savePassword(tx.sql, tenant, customer.id, hash, now);
        await tx.emit(tenant, [{ type: 'customer.created', object: customerDocument(customer) }]);
        return signIn(tx, tenant, customer, input.device);
      }, tenant);
    }),

    Login: query(async (sql, { tenant }, input) => {
      if (passwords.full) return passwords.full;
      const email = normalEmail(input.email);
      const name = passwordFailureKey(email);
      const { account, failures } = await findLogin(sql, tenant, email, name);
      const slowed = refuseIfSlowed(failures, clock.real());
      if (slowed) return slowed;
      const right = await passwords.verify(input.password, account?.hash ?? null);
      if (right instanceof Refusal) return right;
      const signedIn = await countLogin(tenant, name, right, async (tx) =>
        // A password change ends all sessions, so no session may start with the former password.
        (await lockPassword(tx.sql, tenant, account!.id, account!.hash!))
          ? signIn(tx, tenant, account!, input.device)
          : null,
      );
      return signedIn ?? WRONG_LOGIN;
    }),

    Refresh: query(async (_sql, { tenant }, { refresh_token, device }) => {
      const hash = sha256(refresh_token);
      const tokens = newTokens(clock.now(tenant));
      const signedIn = await postgres.transaction(async (tx): Promise<SignedIn | null> => {
        const found = await useRefresh(
          tx.sql,
          tenant,
          hash,
          { next: tokens, device: deviceOf(device) },
          clock.now(tenant),
        );
        if (found?.outcome === 'prolonged')
          return { customer: customerDocument(found.customer), session: tokens.response };
        // Two uses mean that the token was stolen, and the thief cannot be told from the customer: the session ends for
        // both.
        if (found?.outcome === 'reused') await endSession(tx, notices, tenant, found.session);
        return null;
      }, tenant);
      return signedIn ?? INVALID_REFRESH_TOKEN;
    }),

    Logout: transaction(async (tx, { tenant, customerSession }) => {
      if (customerSession === null) return SIGNED_OUT;
      await endSession(tx, notices, tenant, customerSession);
      return { logged_out: true };
    }),

    GetMe: query(async (sql, { tenant, customer: id, customerSession }) => {
      const customer = id === null || customerSession === null ? null : await findCustomer(sql, tenant, id);
      return customer === null ? SIGNED_OUT : { customer: customerDocument(customer) };
    }),

    UpdatePassword: query(async (sql, { tenant, customer: id, customerSession }, input) => {
      if (id === null || customerSession === null) return SIGNED_OUT;
      const [customer, known] = await Promise.all([findCustomer(sql, tenant, id), findPassword(sql, tenant, id)]);
      if (customer === null) return SIGNED_OUT;
      const name = passwordFailureKey(customer.email);
      const slowed = refuseIfSlowed(await findFailures(sql, tenant, name), clock.real());
      if (slowed) return slowed;
      const right = await passwords.verify(input.current_password, known);
      if (right instanceof Refusal) return right;
      const hash = right ? await passwords.hash(input.new_password) : '';
      if (hash instanceof Refusal) return hash;
      const changed = await countLogin(tenant, name, right, async (tx) => {
        if (!(await replacePassword(tx.sql, tenant, id, known!, hash, clock.now(tenant)))) return null;
        await deleteChallenges(tx.sql, tenant, id);
        await endSessions(tx, notices, tenant, id, customerSession);
        return { message: 'The password is changed.' };
      });
      return changed ?? WRONG_CURRENT_PASSWORD;
    }),

    ...challengeHandlers(runtime, passwords),
  };
};

export const sessionHandlers = (runtime: Runtime, assertions: Assertions): Handlers<SessionDirectoryRpcs> => {
  const { clock } = runtime;
  const { askOrThrow } = openDomainClient(runtime);
  return {
    ResolveAssertion: query(async (_sql, call, { kind, token }) => {
      const identity = await askOrThrow('StoreDirectory/GetIdentity', call, {});
      const verify = kind === 'idp' ? assertions.idp : assertions.external;
      const subject = await verify(identity, call.tenant, token);
      // A retry finds the customer that this call may have created.
      const customer = subject && (await customerOfAssertion(runtime, call.tenant, subject).catch(rethrowRetryable));
      return customer ? { customer_id: customer, remaining_ms: subject!.remainingMs } : notFound('session');
    }),

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
  };
};

export const customerDirectoryHandlers = (clock: Clock): Handlers<CustomerDirectoryRpcs> => ({
  FindCustomer: query(async (sql, { tenant }, { customer_id }) => {
    const found = await findCustomer(sql, tenant, customer_id);
    return found === null ? notFound('customer', 'customer_id') : { customer: customerDocument(found) };
  }),

  ...shopperHandlers(clock),
});
