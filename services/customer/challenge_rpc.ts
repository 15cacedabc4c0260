// The door of what is proved by mail: magic links, one-time codes, a forgotten password.
import type { AuthRpcs, SignedIn } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { constantTimeEqual, sha256 } from '#runtime/process/seal.ts';
import { normalEmail } from '#values/typed_name.ts';
import { codeContext, makeCode, makeLink } from './challenge.ts';
import { mailChallenge } from './challenge_mail.ts';
import { accountHash, codeHash } from './email.ts';
import { findProved, proveEmail, signInProved } from './email_proof.ts';
import { checkRedirect } from './letter.ts';
import { after, tooMany } from './login_failure.ts';
import type { Passwords } from './password.ts';
import { endSessions } from './sign_in.ts';
import { countTry, deleteChallenges, deleteCodes, findLink, lockCode, useLink } from './table/challenge.ts';
import { findCustomer, savePassword } from './table/customer.ts';
import { deleteFailures, findFailures, lockFailures, updateFailures } from './table/login_failure.ts';

/** One answer for a token that never was, one that was used and one that is too old. */
const NO_LINK = refuse('unauthorized', 'The link is not valid any more.', { hint: 'Ask for a new one.' });
const NO_CODE = refuse('unauthorized', 'The code is wrong or not valid any more.', { hint: 'Ask for a new one.' });
const CHANGED = { message: 'The password is changed.' };

type ChallengeRpcs = Pick<
  AuthRpcs,
  'SendMagicLink' | 'VerifyMagicLink' | 'SendOtp' | 'VerifyOtp' | 'ResetPassword' | 'ConfirmReset'
>;

export const challengeHandlers = (runtime: Runtime, passwords: Passwords): Handlers<ChallengeRpcs> => {
  const { postgres, clock, seal } = runtime;
  const { askOrThrow } = openDomainClient(runtime);

  const shopOf = (call: Call): Promise<GetIdentityResponse> => askOrThrow('StoreDirectory/GetIdentity', call, {});

  return {
    SendMagicLink: query(async (_sql, call, { email, redirect_to: redirectTo }) => {
      const shop = await shopOf(call);
      const refusal = checkRedirect(shop, redirectTo);
      return refusal ?? mailChallenge(runtime, call, shop, email, makeLink('magic_link'), redirectTo);
    }),

    VerifyMagicLink: transaction(async (tx, { tenant }, { token, session_token: session }) => {
      const used = await useLink(tx.sql, tenant, 'magic_link', sha256(token), clock.now(tenant));
      const customer = await findProved(tx.sql, tenant, used);
      return customer === null ? NO_LINK : signInProved(runtime, tx, tenant, customer, session);
    }),

    SendOtp: query(async (_sql, call, { email }) =>
      mailChallenge(runtime, call, await shopOf(call), email, makeCode(seal), null),
    ),

    VerifyOtp: query(async (sql, { tenant }, { email, code, session_token: session }) => {
      const account = accountHash(normalEmail(email));
      const name = codeHash(normalEmail(email));
      const early = tooMany(await findFailures(sql, tenant, name), clock.real());
      if (early) return early;
      // A wrong code is counted, so it is no refusal to the transaction.
      const outcome = await postgres.transaction(async (tx): Promise<SignedIn | Refusal | null> => {
        const nowMs = clock.real();
        // In the order in which a login locks them: first what is counted, then what is tried.
        const counted = await lockFailures(tx.sql, tenant, name, true, new Date(nowMs));
        const refusal = tooMany(counted, nowMs);
        if (refusal) return refusal;
        const living = await lockCode(tx.sql, tenant, account, clock.now(tenant));
        const right = living !== null && constantTimeEqual(seal.open(living.code, codeContext(living.id)), code);
        const id = right ? living.customer : null;
        const customer = id === null ? null : await findCustomer(tx.sql, tenant, id);
        const next = after(counted, customer !== null, nowMs);
        if (next) await updateFailures(tx.sql, tenant, name, next, new Date(nowMs));
        if (customer === null) {
          if (living) await countTry(tx.sql, tenant, living.id);
          return null;
        }
        await deleteCodes(tx.sql, tenant, account);
        return signInProved(runtime, tx, tenant, customer, session);
      }, tenant);
      return outcome ?? NO_CODE;
    }),

    ResetPassword: query(async (_sql, call, { email, redirect_to: redirectTo }) => {
      const { tenant, deadline, requestId, trace } = call;
      // Every attempt counts, whatever becomes of it and whether or not there is an account.
      const email_hash = accountHash(normalEmail(email)).toString('hex');
      const admitted = await runtime.ask('Limit/AdmitReset', tenant, { email_hash }, { deadline, requestId, trace });
      if (admitted instanceof Refusal) {
        // No attempt counts, so none is let through.
        if (admitted.code !== 'rate_limited') throw new Unavailable(admitted.message);
        return admitted;
      }
      const shop = await shopOf(call);
      const refusal = checkRedirect(shop, redirectTo);
      return refusal ?? mailChallenge(runtime, call, shop, email, makeLink('reset_password'), redirectTo);
    }),

    // Hashing takes its time: it is done before the transaction, and for a good token alone.
    ConfirmReset: query(async (sql, { tenant }, { token, password }) => {
      const link = sha256(token);
      if ((await findLink(sql, tenant, 'reset_password', link, clock.now(tenant))) === null) return NO_LINK;
      const hash = await passwords.hash(password);
      if (hash instanceof Refusal) return hash;
      return postgres.transaction(async (tx) => {
        const now = clock.now(tenant);
        const used = await useLink(tx.sql, tenant, 'reset_password', link, now);
        const customer = await findProved(tx.sql, tenant, used);
        if (customer === null) return NO_LINK;
        await savePassword(tx.sql, tenant, customer.id, hash, now);
        await deleteChallenges(tx.sql, tenant, customer.id);
        for (const name of [accountHash(customer.email), codeHash(customer.email)])
          await deleteFailures(tx.sql, tenant, name);
        await endSessions(tx, runtime.notices, tenant, customer.id, null);
        await proveEmail(tx, tenant, customer, now);
        return CHANGED;
      }, tenant);
    }),
  };
};
