// Begins sessions of the dashboard: with a password or a mailed link, and a second factor where the account has one.
import { randomUUIDv7 } from 'bun';
import type { BeginStaffSessionRequest, StaffSignedIn } from '#proto/gen/staff_session.ts';
import { type Call, NO_STORE, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { passwordFailureKey, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import type { Passwords } from '#services/commerce/password.ts';
import { normalEmail } from '#values/text.ts';
import { publishStaffChange } from './current_session.ts';
import { memberDocument } from './document.ts';
import { openEmployers } from './employer.ts';
import { committed, countCode, type Outcome, runToOutcome, useCode, wrongCode } from './second_factor.ts';
import { recordSignInAttempt, type SignInOutcome } from './sign_in_record.ts';
import { lockLink, useLink } from './table/link.ts';
import {
  findFailures,
  lockFailures,
  lockMember,
  type MemberRecord,
  membersByEmail,
  recordSignIn,
  updateFailures,
} from './table/member.ts';
import { insertSession, type StaffSessionRecord } from './table/session.ts';

/** Accounts of one address whose passwords are compared, since a sign-in need not name the store. */
const ACCOUNTS_CHECKED_MAX = 5;
const SESSIONS_MAX = 50;
const USER_AGENT_CHARACTERS_MAX = 256;

/** An address belongs to no store, so its failed sign-ins do not either. */
export const NO_STORE_TENANT: Tenant = { store: NO_STORE, environment: 'production' };

export const INVALID_LINK = refuse('unauthorized', 'The link is unknown, used or expired.', {
  hint: 'Request another one.',
});
/** The same refusal for an unknown address and a wrong password. */
const WRONG_LOGIN = refuse('unauthorized', 'The e-mail address or the password is wrong.');
const CODE_NEEDED = refuse('unauthorized', 'The account has a second factor.', {
  param: 'totp',
  hint: 'Send `totp`, a code of the authenticator app, or `recovery_code`.',
});
const WRONG_SECOND_FACTOR = wrongCode('unauthorized', 'totp');

export interface Device {
  readonly session_hash?: string;
  readonly network?: string;
  readonly agent_header?: string;
}

export interface StartedSession {
  readonly id: string;
  readonly member: MemberRecord;
}

export interface SignIns {
  withPassword(call: Call, input: BeginStaffSessionRequest): Promise<StaffSignedIn | Refusal>;
  withLink(call: Call, token: string, input: BeginStaffSessionRequest): Promise<StaffSignedIn | Refusal>;
  /** Begins a session of an account that is locked or new. */
  begin(
    tx: Transaction,
    member: MemberRecord,
    device: Device,
    beganWith: StaffSessionRecord['began_with'],
  ): Promise<StartedSession>;
  signedIn(call: Call, member: MemberRecord): Promise<StaffSignedIn>;
}

interface SignInAttempt {
  readonly call: Call;
  readonly input: BeginStaffSessionRequest;
  readonly beganWith: StaffSessionRecord['began_with'];
}

export const openSignIns = (runtime: Runtime, passwords: Passwords): SignIns => {
  const { postgres, clock, notices } = runtime;
  const employers = openEmployers(runtime);

  const begin: SignIns['begin'] = async (tx, member, device, beganWith) => {
    const now = new Date(clock.real());
    const session: StaffSessionRecord = {
      store: member.store,
      id: randomUUIDv7(),
      member: member.id,
      began_with: beganWith,
      network: device.network ?? '',
      user_agent: device.agent_header?.slice(0, USER_AGENT_CHARACTERS_MAX).toWellFormed() || null,
      created_at: now,
      last_used_at: now,
    };
    const hash = Buffer.from(device.session_hash ?? '', 'hex');
    const ended = await insertSession(tx.sql, session, hash, SESSIONS_MAX);
    if (ended.length > 0) publishStaffChange(tx, notices, member.store);
    await recordSignIn(tx.sql, member, now);
    return { id: session.id, member: { ...member, last_signed_in_at: now } };
  };

  /** Begins a session once the second factor is right; `member` is locked. */
  const admit = async (
    tx: Transaction,
    member: MemberRecord,
    { call, input, beganWith }: SignInAttempt,
  ): Promise<Outcome<MemberRecord>> => {
    const attempt = { call, network: input.network };
    const refuseWith = (outcome: SignInOutcome, refusal: Refusal): Outcome<MemberRecord> => {
      recordSignInAttempt(tx, member, attempt, { outcome, beganWith });
      return committed(refusal);
    };
    if (member.totp_secret !== null) {
      const code = input.totp ?? input.recovery_code;
      if (code === undefined) return refuseWith('second_factor_needed', CODE_NEEDED);
      const refusal = await countCode(tx, member, WRONG_SECOND_FACTOR, () => useCode(tx, member, code));
      // Refusals of too many attempts are no attempts, and would let a stranger fill the log.
      if (refusal)
        return refusal === WRONG_SECOND_FACTOR ? refuseWith('wrong_second_factor', refusal) : committed(refusal);
    }
    const started = await begin(tx, member, input, beganWith);
    recordSignInAttempt(tx, member, attempt, { outcome: 'signed_in', beganWith, session: started.id });
    return { done: started.member };
  };

  const signedIn: SignIns['signedIn'] = async (call, member) => {
    const { shown } = await employers.read(call, member.store);
    return { staff: memberDocument(member), ...shown };
  };

  /** Returns the id of the named store or operator; for an unknown one an id that none has, so that it has no accounts. */
  const employerNamed = async (call: Call, name: string | undefined): Promise<string | null> => {
    if (name === undefined) return null;
    const employer = await employers.find(call, name);
    return employer instanceof Refusal ? NO_STORE : employer.id;
  };

  /** Returns the account whose password it is; without an account it takes the time of one check. */
  const verified = async (
    accounts: readonly MemberRecord[],
    password: string,
  ): Promise<MemberRecord | null | Refusal> => {
    for (const account of accounts.length > 0 ? accounts : [null]) {
      const right = await passwords.verify(password, account?.password ?? null);
      if (right instanceof Refusal) return right;
      if (right) return account;
    }
    return null;
  };

  return {
    begin,
    signedIn,

    async withPassword(call, input) {
      if (passwords.full) return passwords.full;
      const email = normalEmail(input.email ?? '');
      const account = passwordFailureKey(email);
      const { sql } = postgres;
      const slowed = refuseIfSlowed(await findFailures(sql, NO_STORE_TENANT, account), clock.real());
      if (slowed) return slowed;
      const store = await employerNamed(call, input.store);
      const accounts = await membersByEmail(sql, email, store, ACCOUNTS_CHECKED_MAX);
      const found = await verified(accounts, input.password ?? '');
      if (found instanceof Refusal) return found;
      const member = await runToOutcome(runtime, async (tx): Promise<Outcome<MemberRecord> | Refusal> => {
        const now = new Date(clock.real());
        const counted = await lockFailures(tx.sql, NO_STORE_TENANT, account, found === null, now);
        const refusal = refuseIfSlowed(counted, now.getTime());
        if (refusal) return refusal;
        const locked = found && (await lockMember(tx.sql, found.store, found.id));
        // A password change ends all other sessions, so no session may start with the former password.
        const current = locked?.password === found?.password ? locked : null;
        const next = recordLogin(counted, current !== null, now.getTime());
        if (next) await updateFailures(tx.sql, NO_STORE_TENANT, account, next, now);
        if (current !== null) return admit(tx, current, { call, input, beganWith: 'password' });
        for (const tried of found === null ? accounts : [found])
          recordSignInAttempt(
            tx,
            tried,
            { call, network: input.network },
            { outcome: 'wrong_password', beganWith: 'password' },
          );
        return committed(WRONG_LOGIN);
      });
      return member instanceof Refusal ? member : signedIn(call, member);
    },

    async withLink(call, token, input) {
      const hash = sha256(token);
      const member = await runToOutcome(runtime, async (tx): Promise<Outcome<MemberRecord> | Refusal> => {
        const now = new Date(clock.real());
        const link = await lockLink(tx.sql, hash, now);
        const locked = link && (await lockMember(tx.sql, link.store, link.id));
        if (locked === null) return INVALID_LINK;
        const outcome = await admit(tx, locked, { call, input, beganWith: 'link' });
        if ('done' in outcome) await useLink(tx.sql, hash, now);
        return outcome;
      });
      return member instanceof Refusal ? member : signedIn(call, member);
    },
  };
};
