// The door of accounts: registering, signing in and out, and what edges ask of sessions.
import type { AuthRpcs, SignedIn } from '#proto/gen/customer.ts';
import type { CustomerDirectoryRpcs, SessionDirectoryRpcs } from '#proto/gen/customer_directory.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { normalEmail } from '#values/typed_name.ts';
import type { Assertions } from './assertion.ts';
import { challengeHandlers } from './challenge_rpc.ts';
import { newCustomer, shown } from './customer.ts';
import { accountHash } from './email.ts';
import { after, tooMany } from './login_failure.ts';
import type { Passwords } from './password.ts';
import { makeTokens } from './session.ts';
import { shopperHandlers } from './shopper.ts';
import { endSession, endSessions, signIn } from './sign_in.ts';
import { customerOf } from './subject.ts';
import { deleteChallenges } from './table/challenge.ts';
import {
  emailIsTaken,
  findCustomer,
  findPassword,
  holdPassword,
  insertCustomer,
  replacePassword,
  savePassword,
} from './table/customer.ts';
import { findLogin } from './table/login.ts';
import { findFailures, lockFailures, updateFailures } from './table/login_failure.ts';
import { findAccess, useRefresh } from './table/session.ts';

const TAKEN = refuse('conflict', 'There is an account with this e-mail address.', { param: 'email' });
/** One answer for an unknown address and a wrong password. */
const WRONG = refuse('unauthorized', 'The e-mail address or the password is wrong.');
const WRONG_CURRENT = refuse('unauthorized', 'The current password is wrong.', { param: 'current_password' });
const NO_REFRESH = refuse('unauthorized', 'The refresh token is not valid.', { hint: 'Sign in again.' });
const SIGNED_OUT = refuse('unauthorized', 'The session has ended.', { hint: 'Sign in again.' });

export const authHandlers = (runtime: Runtime, passwords: Passwords): Handlers<AuthRpcs> => {
  const { postgres, clock, notices } = runtime;

  /**
   * Judges a password that was looked at, under a lock: of many guesses sent at once no more are answered than one after
   * the other. Null: it was wrong. `run` is what a right one opens.
   */
  const judge = <T>(
    tenant: Tenant,
    account: Uint8Array,
    right: boolean,
    run: (tx: Transaction) => Promise<T | null>,
  ): Promise<T | Refusal | null> =>
    postgres.transaction(async (tx): Promise<T | Refusal | null> => {
      const nowMs = clock.real();
      const counted = await lockFailures(tx.sql, tenant, account, !right, new Date(nowMs));
      const refusal = tooMany(counted, nowMs);
      if (refusal) return refusal;
      const next = after(counted, right, nowMs);
      if (next) await updateFailures(tx.sql, tenant, account, next, new Date(nowMs));
      return right ? run(tx) : null;
    }, tenant);

  return {
    // Hashing takes its time: it is done before the transaction, so that it holds no connection.
    Register: query(async (sql, { tenant }, input) => {
      if (passwords.full) return passwords.full;
      const email = normalEmail(input.email);
      if (await emailIsTaken(sql, tenant, email)) return TAKEN;
      const hash = await passwords.hash(input.password);
      if (hash instanceof Refusal) return hash;
      return postgres.transaction(async (tx) => {
        const now = clock.now(tenant);
        const { first_name, last_name, phone } = input;
        const customer = newCustomer({ email, first_name, last_name, phone }, now);
        if ((await insertCustomer(tx.sql, tenant, customer)) !== null) return TAKEN;
        await savePassword(tx.sql, tenant, customer.id, hash, now);
        await tx.emit(tenant, [{ type: 'customer.created', object: shown(customer) }]);
        return signIn(tx, tenant, customer);
      }, tenant);
    }),

    Login: query(async (sql, { tenant }, input) => {
      if (passwords.full) return passwords.full;
      const email = normalEmail(input.email);
      const name = accountHash(email);
      const { account, failures } = await findLogin(sql, tenant, email, name);
      const early = tooMany(failures, clock.real());
      if (early) return early;
      const right = await passwords.verify(input.password, account?.hash ?? null);
      if (right instanceof Refusal) return right;
      const signedIn = await judge(tenant, name, right, async (tx) =>
        // A change of the password ends all sessions; none may begin with the old one meanwhile.
        (await holdPassword(tx.sql, tenant, account!.id, account!.hash!)) ? signIn(tx, tenant, account!) : null,
      );
      return signedIn ?? WRONG;
    }),

    Refresh: query(async (_sql, { tenant }, { refresh_token }) => {
      const hash = sha256(refresh_token);
      const tokens = makeTokens(clock.now(tenant));
      const signedIn = await postgres.transaction(async (tx): Promise<SignedIn | null> => {
        const found = await useRefresh(tx.sql, tenant, hash, tokens, clock.now(tenant));
        if (found?.outcome === 'prolonged') return { customer: shown(found.customer), session: tokens.told };
        // Used before: by the customer or by a thief, it is not known which, so it ends for both.
        if (found?.outcome === 'reused') await endSession(tx, notices, tenant, found.session);
        return null;
      }, tenant);
      return signedIn ?? NO_REFRESH;
    }),

    Logout: transaction(async (tx, { tenant, customerSession }) => {
      if (customerSession === null) return SIGNED_OUT;
      await endSession(tx, notices, tenant, customerSession);
      return { logged_out: true };
    }),

    // Who is signed in here: another's word for a shopper is no session of ours.
    GetMe: query(async (sql, { tenant, customer: id, customerSession }) => {
      const customer = id === null || customerSession === null ? null : await findCustomer(sql, tenant, id);
      return customer === null ? SIGNED_OUT : { customer: shown(customer) };
    }),

    UpdatePassword: query(async (sql, { tenant, customer: id, customerSession }, input) => {
      if (id === null || customerSession === null) return SIGNED_OUT;
      const [customer, known] = await Promise.all([findCustomer(sql, tenant, id), findPassword(sql, tenant, id)]);
      if (customer === null) return SIGNED_OUT;
      const name = accountHash(customer.email);
      const early = tooMany(await findFailures(sql, tenant, name), clock.real());
      if (early) return early;
      const right = await passwords.verify(input.current_password, known);
      if (right instanceof Refusal) return right;
      const hash = right ? await passwords.hash(input.new_password) : '';
      if (hash instanceof Refusal) return hash;
      const changed = await judge(tenant, name, right, async (tx) => {
        if (!(await replacePassword(tx.sql, tenant, id, known!, hash, clock.now(tenant)))) return null;
        await deleteChallenges(tx.sql, tenant, id);
        await endSessions(tx, notices, tenant, id, customerSession);
        return { message: 'The password is changed.' };
      });
      return changed ?? WRONG_CURRENT;
    }),

    ...challengeHandlers(runtime, passwords),
  };
};

/** What is found or made once is found by the next call, whatever became of this one. */
const lookedUpAgain = (problem: unknown): never => {
  throw problem instanceof UnknownOutcome ? new Unavailable(problem.message, { cause: problem }) : problem;
};

export const sessionHandlers = (runtime: Runtime, assertions: Assertions): Handlers<SessionDirectoryRpcs> => {
  const { clock } = runtime;
  const { askOrThrow } = openDomainClient(runtime);
  return {
    ResolveAssertion: query(async (_sql, call, { kind, token }) => {
      const identity = await askOrThrow('StoreDirectory/GetIdentity', call, {});
      const verify = kind === 'idp' ? assertions.idp : assertions.external;
      const subject = await verify(identity, call.tenant, token);
      const customer = subject && (await customerOf(runtime, call.tenant, subject).catch(lookedUpAgain));
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
    return found === null ? notFound('customer', 'customer_id') : { customer: shown(found) };
  }),

  ...shopperHandlers(clock),
});
