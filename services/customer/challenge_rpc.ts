// Handlers of Auth for challenges: magic links, one-time codes and password resets.
import type { AuthRpcs, SignedIn } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { constantTimeEqual, sha256 } from '#runtime/process/seal.ts';
import { codeFailureKey, passwordFailureKey, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import type { Passwords } from '#services/commerce/password.ts';
import { normalEmail } from '#values/text.ts';
import { codeContext, newCode, newLink } from './challenge.ts';
import { checkRedirect, mailChallenge } from './challenge_mail.ts';
import { findAddressee, proveEmail, signInWithProof } from './email_proof.ts';
import { endSessions } from './sign_in.ts';
import { countTry, deleteChallenges, deleteCodes, findLink, lockCode, useLink } from './table/challenge.ts';
import { savePassword } from './table/customer.ts';
import { deleteFailures, findFailures, lockFailures, updateFailures } from './table/login.ts';

/** The same refusal for unknown, used and expired tokens. */
const INVALID_LINK = refuse('unauthorized', 'The link is unknown, used or expired.', { hint: 'Request another one.' });
const INVALID_CODE = refuse('unauthorized', 'The code is wrong, used or expired.', { hint: 'Request another one.' });
const PASSWORD_CHANGED = { message: 'The password is changed.' };

type ChallengeRpcs = Pick<
  AuthRpcs,
  'SendMagicLink' | 'VerifyMagicLink' | 'SendOtp' | 'VerifyOtp' | 'ResetPassword' | 'ConfirmReset'
>;

export const challengeHandlers = (runtime: Runtime, passwords: Passwords): Handlers<ChallengeRpcs> => {
  const { postgres, clock, seal } = runtime;
  const { askOrThrow } = openDomainClient(runtime);

  const identityOf = (call: Call): Promise<GetIdentityResponse> => askOrThrow('StoreDirectory/GetIdentity', call, {});

  return {
    SendMagicLink: query(async (_sql, call, { redirect_to: redirectTo, ...to }) => {
      const store = await identityOf(call);
      const refusal = checkRedirect(store, redirectTo);
      return refusal ?? mailChallenge(runtime, call, store, to, newLink('magic_link'), redirectTo);
    }),

    VerifyMagicLink: transaction(async (tx, { tenant }, { token, ...caller }) => {
      const used = await useLink(tx.sql, tenant, 'magic_link', sha256(token), clock.now(tenant));
      const customer = await findAddressee(tx.sql, tenant, used);
      return customer === null ? INVALID_LINK : signInWithProof(runtime, tx, tenant, customer, caller);
    }),

    SendOtp: query(async (_sql, call, to) =>
      mailChallenge(runtime, call, await identityOf(call), to, newCode(seal), null),
    ),

    VerifyOtp: query(async (sql, { tenant }, { email, code, ...caller }) => {
      const account = passwordFailureKey(normalEmail(email));
      const name = codeFailureKey(normalEmail(email));
      const slowed = refuseIfSlowed(await findFailures(sql, tenant, name), clock.real());
      if (slowed) return slowed;
      // Returns null for a wrong code instead of a refusal: a refusal would roll back the count of attempts.
      const outcome = await postgres.transaction(async (tx): Promise<SignedIn | Refusal | null> => {
        const nowMs = clock.real();
        // Locks in the same order as a login: the failures before the code.
        const counted = await lockFailures(tx.sql, tenant, name, true, new Date(nowMs));
        const refusal = refuseIfSlowed(counted, nowMs);
        if (refusal) return refusal;
        const validCode = await lockCode(tx.sql, tenant, account, clock.now(tenant));
        const right =
          validCode !== null && constantTimeEqual(seal.open(validCode.code, codeContext(validCode.id)), code);
        const customer = await findAddressee(tx.sql, tenant, right ? validCode : null);
        const next = recordLogin(counted, customer !== null, nowMs);
        if (next) await updateFailures(tx.sql, tenant, name, next, new Date(nowMs));
        if (customer === null) {
          if (validCode) await countTry(tx.sql, tenant, validCode.id);
          return null;
        }
        await deleteCodes(tx.sql, tenant, account);
        return signInWithProof(runtime, tx, tenant, customer, caller);
      }, tenant);
      return outcome ?? INVALID_CODE;
    }),

    ResetPassword: query(async (_sql, call, { redirect_to: redirectTo, ...to }) => {
      const { tenant, deadline, requestId, trace } = call;
      const email_hash = passwordFailureKey(normalEmail(to.email)).toString('hex');
      const admitted = await runtime.ask('Limit/AdmitReset', tenant, { email_hash }, { deadline, requestId, trace });
      if (admitted instanceof Refusal) {
        // Throws if the attempt could not be counted: an uncounted attempt is not admitted.
        if (admitted.code !== 'rate_limited') throw new Unavailable(admitted.message);
        return admitted;
      }
      const store = await identityOf(call);
      const refusal = checkRedirect(store, redirectTo);
      return refusal ?? mailChallenge(runtime, call, store, to, newLink('reset_password'), redirectTo);
    }),

    // Hashes before the transaction, because hashing is slow, and only for a valid token.
    ConfirmReset: query(async (sql, { tenant }, { token, password }) => {
      const link = sha256(token);
      if ((await findLink(sql, tenant, 'reset_password', link, clock.now(tenant))) === null) return INVALID_LINK;
      const hash = await passwords.hash(password);
      if (hash instanceof Refusal) return hash;
      return postgres.transaction(async (tx) => {
        const now = clock.now(tenant);
        const used = await useLink(tx.sql, tenant, 'reset_password', link, now);
        const customer = await findAddressee(tx.sql, tenant, used);
        if (customer === null) return INVALID_LINK;
        await savePassword(tx.sql, tenant, customer.id, hash, now);
        await deleteChallenges(tx.sql, tenant, customer.id);
        for (const name of [passwordFailureKey(customer.email), codeFailureKey(customer.email)])
          await deleteFailures(tx.sql, tenant, name);
        await endSessions(tx, runtime.notices, tenant, customer.id, null);
        await proveEmail(tx, tenant, customer, now);
        return PASSWORD_CHANGED;
      }, tenant);
    }),
  };
};
