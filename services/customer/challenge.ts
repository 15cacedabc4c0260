// Challenges that prove control of an e-mail address: links and one-time codes. Each is valid once, for a few minutes.
import { randomBytes, randomInt } from 'node:crypto';
import { type Seal, sha256 } from '#runtime/process/seal.ts';

export type LinkKind = 'magic_link' | 'reset_password';
export type ChallengeKind = LinkKind | 'otp';

export const LIFETIME_MS: Readonly<Record<ChallengeKind, number>> = {
  magic_link: 15 * 60_000,
  otp: 10 * 60_000,
  reset_password: 60 * 60_000,
};
export const TRIES_MAX = 5;

const TOKEN_BYTES = 32;
const CODE_DIGITS = 6;
const PREFIX: Readonly<Record<LinkKind, string>> = { magic_link: 'ml_', reset_password: 'pr_' };

export interface Challenge {
  readonly id: string;
  readonly kind: ChallengeKind;
  readonly hash: Buffer | null;
  readonly code: Uint8Array | null;
}

/** A challenge with its secret, which is mailed and stored only hashed or sealed. */
export interface NewChallenge extends Challenge {
  readonly secret: string;
}

export const codeContext = (id: string): string => `customer/challenge/${id}`;

export const newLink = (kind: LinkKind): NewChallenge => {
  const secret = `${PREFIX[kind]}${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  return { id: crypto.randomUUID(), kind, secret, hash: sha256(secret), code: null };
};

export const newCode = (seal: Seal): NewChallenge => {
  const id = crypto.randomUUID();
  const secret = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  return { id, kind: 'otp', secret, hash: null, code: seal.close(secret, codeContext(id)) };
};
