// Mails a challenge. For an address without an account the same rows are written, so that timing does not reveal
// whether an account exists.
import type { MailAccepted } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { passwordFailureKey } from '#services/commerce/login_failure.ts';
import { writeMail } from '#services/commerce/mail.ts';
import { normalEmail } from '#values/text.ts';
import { LIFETIME_MS, type NewChallenge } from './challenge.ts';
import { challengeMail } from './challenge_email.ts';
import { deleteCodes, insertChallenge } from './table/challenge.ts';
import { findAccount } from './table/customer.ts';

/** `typed` is the address as the caller wrote it; the response repeats that spelling. */
export const mailChallenge = async (
  { postgres, clock, settings: { publicUrl } }: Pick<Runtime, 'postgres' | 'clock' | 'settings'>,
  { tenant }: Call,
  store: GetIdentityResponse,
  typed: string,
  challenge: NewChallenge,
  redirectTo: string | null | undefined,
): Promise<MailAccepted> => {
  const email = normalEmail(typed);
  const account = passwordFailureKey(email);
  const { kind, secret } = challenge;
  const usefulMs = LIFETIME_MS[kind];
  await postgres.transaction(async (tx) => {
    const customer = await findAccount(tx.sql, tenant, email);
    if (kind === 'otp') await deleteCodes(tx.sql, tenant, account);
    const expiresAt = new Date(clock.now(tenant).getTime() + usefulMs);
    await insertChallenge(tx.sql, tenant, account, customer?.id ?? null, challenge, expiresAt);
    const mail = challengeMail(store, kind, secret, { redirectTo, publicUrl });
    await writeMail(tx, tenant, { ...mail, kind, to: customer?.email ?? email, usefulMs, void: customer === null });
  }, tenant);
  return { message: 'If an account has this address, a mail was sent to it.', email: typed };
};
