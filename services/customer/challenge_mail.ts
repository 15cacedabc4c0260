// Mails a challenge to an address: the same work whether or not there is an account with it, to the last row.
import type { MailAccepted } from '#proto/gen/customer.ts';
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import type { Call } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { writeMail } from '#services/commerce/mail.ts';
import { normalEmail } from '#values/typed_name.ts';
import { LIFETIME_MS, type NewChallenge } from './challenge.ts';
import { accountHash } from './email.ts';
import { letterOf } from './letter.ts';
import { deleteCodes, insertChallenge } from './table/challenge.ts';
import { findAccount } from './table/customer.ts';

/** `typed` is the address as the caller wrote it, which is how the answer says it. */
export const mailChallenge = async (
  { postgres, clock, settings: { publicUrl } }: Pick<Runtime, 'postgres' | 'clock' | 'settings'>,
  { tenant }: Call,
  shop: GetIdentityResponse,
  typed: string,
  challenge: NewChallenge,
  redirectTo: string | null | undefined,
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
    const letter = letterOf(shop, kind, secret, { redirectTo, publicUrl });
    await writeMail(tx, tenant, { ...letter, kind, to: customer?.email ?? email, usefulMs, void: customer === null });
  }, tenant);
  return { message: 'If there is an account with this address, a mail is on its way.', email: typed };
};
