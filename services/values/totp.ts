// Codes of authenticator apps: RFC 6238 over HMAC-SHA-1 with steps of 30 seconds, and their secrets in Base32 (RFC 4648).
import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps by which a code may be early or late, since clocks differ. */
const STEPS_OFF_MAX = 1;
const CODE = /^[0-9]{6}$/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS_PER_CHARACTER = 5;

/** Returns the code of a time step (RFC 4226, section 5.3). */
export const totpCode = (secret: Uint8Array, step: number, digits = DIGITS): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.at(-1)! & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
};

export const totpStep = (nowMs: number): number => Math.floor(nowMs / STEP_MS);

/** Returns the time step that a code belongs to, if it is near now and later than `usedStep`; null otherwise. */
export const acceptedStep = (secret: Uint8Array, code: string, nowMs: number, usedStep: number): number | null => {
  if (!CODE.test(code)) return null;
  const now = totpStep(nowMs);
  const given = Buffer.from(code);
  for (let step = now - STEPS_OFF_MAX; step <= now + STEPS_OFF_MAX; step++)
    if (step > usedStep && timingSafeEqual(Buffer.from(totpCode(secret, step)), given)) return step;
  return null;
};

export const toBase32 = (bytes: Uint8Array): string => {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= BITS_PER_CHARACTER) {
      bits -= BITS_PER_CHARACTER;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (BITS_PER_CHARACTER - bits)) & 31] : text;
};
