// Generates tokens of mailed links, and recovery codes. Only their hashes are stored.
import { randomBytes } from 'node:crypto';
import { sha256 } from '#runtime/process/seal.ts';
import { toBase32 } from '#values/totp.ts';

const TOKEN_BYTES = 32;
const RECOVERY_CODES = 10;
/** 80 bits: 16 characters, too many to try out against a hash. */
const RECOVERY_BYTES = 10;
/** Equals the digest's length, as RFC 4226 recommends. */
const TOTP_BYTES = 20;

const newToken = (prefix: string): string => `${prefix}${randomBytes(TOKEN_BYTES).toString('base64url')}`;

export const newInvitationToken = (): string => newToken('si_');
export const newLinkToken = (): string => newToken('sl_');

export const newTotpSecret = (): Uint8Array => randomBytes(TOTP_BYTES);

export const totpContext = (store: string, id: string): string => `staff/totp/${store}/${id}`;

export const newRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    toBase32(randomBytes(RECOVERY_BYTES))
      .toLowerCase()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );

/** Hashes a recovery code as people type it: letter case, blanks and hyphens do not count. */
export const hashRecoveryCode = (code: string): Buffer => sha256(code.toLowerCase().replace(/[\s-]/g, ''));
