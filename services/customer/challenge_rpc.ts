// The door of what is proved by mail: magic links, one-time codes, a forgotten password.
import type { AuthRpcs, MailAccepted, SignedIn } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import { type Handlers, query, transaction } from '#runtime/door/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { writeMail } from '#runtime/postgres/mail.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { constantTimeEqual, sha256 } from '#runtime/process/seal.ts';
import { normalEmail } from '#values/email.ts';
import { codeContext, LIFETIME_MS, makeCode, makeLink, type NewChallenge } from './challenge.ts';
import type { CustomerRecord } from './customer.ts';
import { accountHash, codeHash } from './email.ts';
import { checkRedirect, type LinkDestination, letterOf } from './letter.ts';
import { after, tooMany } from './login_failure.ts';
import type { Passwords } from './password.ts';
import { endCredentials, endSessions, signIn } from './sign_in.ts';
import {
  type Addressee,
  countTry,
  deleteChallenges,
  deleteCodes,
  findLink,
  insertChallenge,
  lockCode,
  useLink,
} from './table/challenge.ts';
import { findAccount, findCustomer, savePassword } from './table/customer.ts';
import { emailIsProved, proveEmail } from './table/email_proof.ts';
import { deleteFailures, findFailures, lockFailures, updateFailures } from './table/login_failure.ts';
import { findAccess } from './table/session.ts';

/** One answer for a token that never was, one that was used and one that is too old. */
const NO_LINK = refuse('unauthorized', 'The link is not valid any more.', { hint: 'Ask for a new one.' });
const NO_CODE = refuse('unauthorized', 'The code is wrong or not valid any more.', { hint: 'Ask for a new one.' });
const CHANGED = { message: 'The password is changed.' };

type ChallengeRpcs = Pick<
  AuthRpcs,
  'SendMagicLink' | 'VerifyMagicLink' | 'SendOtp' | 'VerifyOtp' | 'ResetPassword' | 'ConfirmReset'
>;

export const challengeHandlers = (foundation: Foundation, passwords: Passwords): Handlers<ChallengeRpcs> => {
  const { postgres, clock, seal, settings } = foundation;
  const { must } = openInquiry(foundation);

  const shopOf = (call: Call): Promise<GetIdentityResponse> => must('StoreDirectory/GetIdentity', call, {});

  /** The same work whether or not there is such an account, to the last row. */
  const mail = async (
    { tenant }: Call,
    shop: GetIdentityResponse,
    typed: string,
    challenge: NewChallenge,
    destination: LinkDestination,
  ): Promise<MailAccepted> => {
    const email = normalEmail(typed);
    const account = accountHash(email);
    const { kind, secret } = challenge;
    const usefulMs = LIFETIME_MS[kind];
    await postgres.transaction(async (tx) => {
      const customer = await findAccount(tx.sql, tenant, email);
      if (kind === 'otp') await deleteCodes(tx.sql, tenant, account);
      const expiresAt = new Date(clock.now(tenant).getTime() + usefulMs);
      await insertChallenge(tx.sql, tenant, account, customer?.id ?? null, challenge, expiresAt);
      const letter = letterOf(shop, kind, secret, destination);
      await writeMail(tx, tenant, { ...letter, kind, to: customer?.email ?? email, usefulMs, void: customer === null });
    }, tenant);
    return { message: 'If there is an account with this address, a mail is on its way.', email: typed };
  };

  /** Whom a challenge lets in. One that was mailed while the customer moved to another address went to the old one. */
  const ownerOf = async (sql: Sql, tenant: Tenant, to: Addressee | null): Promise<CustomerRecord | null> => {
    const customer = to?.customer ? await findCustomer(sql, tenant, to.customer) : null;
    return customer && accountHash(customer.email).equals(to!.account) ? customer : null;
  };

  /** Whether a token is of a living session of the customer's. */
  const isTheirs = async (sql: Sql, tenant: Tenant, { id }: CustomerRecord, token = ''): Promise<boolean> =>
    (await findAccess(sql, tenant, sha256(token), clock.now(tenant)))?.customer === id;

  /**
   * What was mailed to an address came back: it is the customer's. Until then anyone may have registered with it: what was
   * there ends, unless the request comes from within it.
   */
  const signInProved = async (
    tx: Transaction,
    tenant: Tenant,
    customer: CustomerRecord,
    sessionToken: string | undefined,
  ): Promise<SignedIn> => {
    const proved = await emailIsProved(tx.sql, tenant, customer);
    if (!proved && !(await isTheirs(tx.sql, tenant, customer, sessionToken)))
      await endCredentials(tx, foundation.notices, tenant, customer.id);
    const signedIn = await signIn(tx, tenant, customer);
    await proveEmail(tx.sql, tenant, customer, clock.now(tenant));
    return signedIn;
  };

  return {
    SendMagicLink: query(async (_sql, call, { email, redirect_to: redirectTo }) => {
      const shop = await shopOf(call);
      const elsewhere = checkRedirect(shop, redirectTo);
      return (
        elsewhere ?? mail(call, shop, email, makeLink('magic_link'), { redirectTo, publicUrl: settings.publicUrl })
      );
    }),

    VerifyMagicLink: transaction(async (tx, { tenant }, { token, session_token: session }) => {
      const used = await useLink(tx.sql, tenant, 'magic_link', sha256(token), clock.now(tenant));
      const customer = await ownerOf(tx.sql, tenant, used);
      return customer === null ? NO_LINK : signInProved(tx, tenant, customer, session);
    }),

    SendOtp: query(async (_sql, call, { email }) =>
      mail(call, await shopOf(call), email, makeCode(seal), { redirectTo: null, publicUrl: settings.publicUrl }),
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
        return signInProved(tx, tenant, customer, session);
      }, tenant);
      return outcome ?? NO_CODE;
    }),

    ResetPassword: query(async (_sql, call, { email, redirect_to: redirectTo }) => {
      const { tenant, deadline, requestId, trace } = call;
      // Every attempt counts, whatever becomes of it and whether or not there is an account.
      const email_hash = accountHash(normalEmail(email)).toString('hex');
      const admitted = await foundation.ask('Limit/AdmitReset', tenant, { email_hash }, { deadline, requestId, trace });
      if (admitted instanceof Refusal) {
        // No attempt counts, so none is let through.
        if (admitted.code !== 'rate_limited') throw new Unavailable(admitted.message);
        return admitted;
      }
      const shop = await shopOf(call);
      const elsewhere = checkRedirect(shop, redirectTo);
      return (
        elsewhere ?? mail(call, shop, email, makeLink('reset_password'), { redirectTo, publicUrl: settings.publicUrl })
      );
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
        const customer = await ownerOf(tx.sql, tenant, used);
        if (customer === null) return NO_LINK;
        await savePassword(tx.sql, tenant, customer.id, hash, now);
        await deleteChallenges(tx.sql, tenant, customer.id);
        for (const name of [accountHash(customer.email), codeHash(customer.email)])
          await deleteFailures(tx.sql, tenant, name);
        await endSessions(tx, foundation.notices, tenant, customer.id, null);
        await proveEmail(tx.sql, tenant, customer, now);
        return CHANGED;
      }, tenant);
    }),
  };
};
