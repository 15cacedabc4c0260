// Checks codes of authenticator apps and recovery codes. Each works once; failures are counted as those of passwords are,
// and a refused sign-in step commits, since a rollback would undo the count.
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { codeFailureKey, recordLogin, refuseIfSlowed } from '#services/commerce/login_failure.ts';
import { acceptedStep } from '#values/totp.ts';
import { hashRecoveryCode, totpContext } from './secret.ts';
import { lockFailures, type MemberRecord, saveTotpStep, updateFailures, useRecoveryCode } from './table/member.ts';

const WRONG_CODE = 'The code is wrong, was used before or is no longer valid.';

export const wrongCode = (code: 'unauthorized' | 'invalid_request', param: string): Refusal =>
  refuse(code, WRONG_CODE, { param, hint: 'Send the code that the authenticator app shows now, or a recovery code.' });

interface CommittedRefusal {
  readonly refused: Refusal;
}

export type Outcome<T> = { readonly done: T } | CommittedRefusal;

export const committed = (refused: Refusal): CommittedRefusal => ({ refused });

/** Runs a transaction that commits even where its outcome is a refusal, unless `run` returns the refusal itself. */
export const runToOutcome = async <T>(
  { postgres }: Pick<Runtime, 'postgres'>,
  run: (tx: Transaction) => Promise<Outcome<T> | Refusal>,
): Promise<T | Refusal> => {
  const outcome = await postgres.transaction(run);
  if (outcome instanceof Refusal) return outcome;
  return 'refused' in outcome ? outcome.refused : outcome.done;
};

export const openTotp = (tx: Transaction, { store, id }: MemberRecord, sealed: Uint8Array): Uint8Array =>
  tx.seal.openBytes(sealed, totpContext(store, id));

/** Counts a code's check under a lock. Returns null for a right code, `wrong` or a refusal of too many for any other. */
export const countCode = async (
  tx: Transaction,
  { store, id }: MemberRecord,
  wrong: Refusal,
  check: () => Promise<boolean>,
): Promise<Refusal | null> => {
  const tenant: Tenant = { store, environment: 'production' };
  const account = codeFailureKey(`${store}/${id}`);
  const nowMs = tx.clock.real();
  const counted = await lockFailures(tx.sql, tenant, account, true, new Date(nowMs));
  const slowed = refuseIfSlowed(counted, nowMs);
  if (slowed) return slowed;
  const right = await check();
  const next = recordLogin(counted, right, nowMs);
  if (next) await updateFailures(tx.sql, tenant, account, next, new Date(nowMs));
  return right ? null : wrong;
};

/** `member` is locked and has a second factor. */
export const useCode = async (tx: Transaction, member: MemberRecord, code: string): Promise<boolean> => {
  const secret = openTotp(tx, member, member.totp_secret!);
  const step = acceptedStep(secret, code, tx.clock.real(), member.totp_step);
  if (step === null) return useRecoveryCode(tx.sql, member, hashRecoveryCode(code));
  await saveTotpStep(tx.sql, member, step);
  return true;
};
