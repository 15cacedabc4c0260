// Handlers of StaffSession that change the account's own password and second factor.
import type { StaffSessionRpcs } from '#proto/gen/staff_session.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { recordInOwn } from '#runtime/host/host_call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { passwordFailureKey, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import type { Passwords } from '#services/commerce/password.ts';
import { currentSession, publishStaffChange, SIGNED_OUT } from '#services/staff/current_session.ts';
import { memberDocument } from '#services/staff/document.ts';
import { openEmployers } from '#services/staff/employer.ts';
import {
  committed,
  countCode,
  type Outcome,
  openTotp,
  runToOutcome,
  useCode,
  wrongCode,
} from '#services/staff/second_factor.ts';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpContext } from '#services/staff/secret.ts';
import { NO_STORE_TENANT } from '#services/staff/sign_in.ts';
import { endLinks } from '#services/staff/table/link.ts';
import {
  findFailures,
  insertRecoveryCodes,
  lockFailures,
  type MemberRecord,
  savePassword,
  saveTotp,
  saveTotpPending,
  updateFailures,
} from '#services/staff/table/member.ts';
import { deleteSessions } from '#services/staff/table/session.ts';
import { acceptedStep, toBase32 } from '#values/totp.ts';

type CredentialRpc = 'ChangePassword' | 'BeginTotp' | 'ConfirmTotp' | 'DeleteTotp';

const CURRENT_PASSWORD_NEEDED = refuse('invalid_request', '`current_password` is required.', {
  param: 'current_password',
  hint: 'Only a session that began with a mailed link sets a password without it.',
});
const WRONG_CURRENT_PASSWORD = refuse('invalid_request', 'The current password is wrong.', {
  param: 'current_password',
});
const HAS_TOTP = refuse('conflict', 'The account has a second factor. Turn it off first.');
const NO_TOTP = refuse('conflict', 'The account has no second factor.');
const NO_PENDING_TOTP = refuse('conflict', 'No second factor was begun. Begin one with POST /v1/staff/session/totp.');
const WRONG_CODE = wrongCode('invalid_request', 'code');

const otpauthUri = (issuer: string, email: string, secret: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
};

export const credentialHandlers = (
  runtime: Runtime,
  passwords: Passwords,
): Pick<Handlers<StaffSessionRpcs>, CredentialRpc> => {
  const { clock, notices, seal } = runtime;
  const employers = openEmployers(runtime);
  const now = (): Date => new Date(clock.real());
  /** The audit record commits with the change. */
  const change = <T>(call: Call, input: object, run: (tx: Transaction) => Promise<Outcome<T> | Refusal>) =>
    runToOutcome(runtime, async (tx) => {
      const outcome = await run(tx);
      if ('done' in outcome) recordInOwn(call, tx, input, outcome.done);
      return outcome;
    });

  return {
    ChangePassword: query(async (sql, call, input) => {
      const { current_password, new_password } = input;
      const current = await currentSession(sql, call, now());
      if (current === null) return SIGNED_OUT;
      const { session, member } = current;
      const account = passwordFailureKey(member.email);
      const byLink = session.began_with === 'link' && current_password === undefined;
      if (!byLink && current_password === undefined) return CURRENT_PASSWORD_NEEDED;
      const slowed = refuseIfSlowed(await findFailures(sql, NO_STORE_TENANT, account), clock.real());
      if (slowed) return slowed;
      const right = byLink || (await passwords.verify(current_password ?? '', member.password));
      if (right instanceof Refusal) return right;
      const hash = right ? await passwords.hash(new_password) : '';
      if (hash instanceof Refusal) return hash;
      return change(call, input, async (tx) => {
        const at = now();
        const counted = await lockFailures(tx.sql, NO_STORE_TENANT, account, !right, at);
        const refusal = refuseIfSlowed(counted, at.getTime());
        if (refusal) return refusal;
        const locked = await currentSession(tx.sql, call, at, true);
        if (locked === null) return SIGNED_OUT;
        const isRight = right && locked.member.password === member.password;
        const next = recordLogin(counted, isRight, at.getTime());
        if (next) await updateFailures(tx.sql, NO_STORE_TENANT, account, next, at);
        if (!isRight) return committed(WRONG_CURRENT_PASSWORD);
        await savePassword(tx.sql, member, hash);
        await endLinks(tx.sql, member, at);
        await deleteSessions(tx.sql, member.store, member.id, session.id);
        publishStaffChange(tx, notices, member.store);
        return { done: { staff: memberDocument(locked.member) } };
      });
    }),

    BeginTotp: query(async (_sql, call, input) => {
      const { name } = await employers.read(call, call.tenant.store);
      return change(call, input, async (tx) => {
        const current = await currentSession(tx.sql, call, now(), true);
        if (current === null) return SIGNED_OUT;
        const { member } = current;
        if (member.totp_secret !== null) return HAS_TOTP;
        const secret = newTotpSecret();
        await saveTotpPending(tx.sql, member, seal.close(secret, totpContext(member.store, member.id)));
        const text = toBase32(secret);
        return { done: { secret: text, otpauth_uri: otpauthUri(name, member.email, text) } };
      });
    }),

    ConfirmTotp: query((_sql, call, input) =>
      change(call, input, async (tx) => {
        const current = await currentSession(tx.sql, call, now(), true);
        if (current === null) return SIGNED_OUT;
        const { member } = current;
        if (member.totp_secret !== null) return HAS_TOTP;
        const pending = member.totp_pending;
        if (pending === null) return NO_PENDING_TOTP;
        const codes = newRecoveryCodes();
        const refusal = await countCode(tx, member, WRONG_CODE, async () => {
          const step = acceptedStep(openTotp(tx, member, pending), input.code, clock.real(), 0);
          if (step === null) return false;
          await saveTotp(tx.sql, member, pending, step);
          await insertRecoveryCodes(tx.sql, member, codes.map(hashRecoveryCode));
          return true;
        });
        return refusal ? committed(refusal) : { done: { recovery_codes: [...codes] } };
      }),
    ),

    DeleteTotp: query((_sql, call, input) =>
      change(call, input, async (tx) => {
        const current = await currentSession(tx.sql, call, now(), true);
        if (current === null) return SIGNED_OUT;
        const { member } = current;
        if (member.totp_secret === null) return NO_TOTP;
        const refusal = await countCode(tx, member, WRONG_CODE, () => useCode(tx, member, input.code));
        if (refusal) return committed(refusal);
        await saveTotp(tx.sql, member, null, 0);
        const without: MemberRecord = { ...member, totp_secret: null };
        return { done: { staff: memberDocument(without) } };
      }),
    ),
  };
};
