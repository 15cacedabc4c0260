// Generates codes, tokens, tickets and secrets. Only their hashes are stored.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Environment } from '#runtime/call/call.ts';
import { sha256 } from '#runtime/process/seal.ts';

const RANDOM_BYTES = 32;
const ENVIRONMENT_PREFIX: Readonly<Record<Environment, string>> = { production: 'live', sandbox: 'test' };

const random = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

export const newTicket = random;
export const newCode = (environment: Environment): string => `svc_ac_${ENVIRONMENT_PREFIX[environment]}_${random()}`;
export const newAccessToken = (environment: Environment): string =>
  `svc_at_${ENVIRONMENT_PREFIX[environment]}_${random()}`;
export const newRefreshToken = (environment: Environment): string =>
  `svc_rt_${ENVIRONMENT_PREFIX[environment]}_${random()}`;
export const newClientId = (): string => `app_${randomBytes(12).toString('hex')}`;
export const newClientSecret = (): string => `svc_cs_${random()}`;

export const hashOf = (text: string): Buffer => sha256(text);

export const isSecret = (text: string, hash: Uint8Array): boolean => timingSafeEqual(hashOf(text), hash);

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

export const isChallenge = (text: string): boolean => CHALLENGE.test(text);

export const isVerifier = (text: string, challenge: string): boolean => {
  if (!VERIFIER.test(text)) return false;
  const own = Buffer.from(createHash('sha256').update(text).digest('base64url'));
  const given = Buffer.from(challenge);
  return own.length === given.length && timingSafeEqual(own, given);
};
