// Verifies request signatures: HMAC-SHA256 over `<timestamp>.<raw body>`.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Refusal, refuse } from '#runtime/call/call.ts';

const TOLERANCE_S = 300;
const DIGEST_BYTES = 32;

const missing = (header: string): Refusal =>
  refuse('invalid_request', `The header ${header} is required.`, { param: header });

/** Checks that one of the secrets signed a request. */
export function checkSignature(
  headers: Headers,
  body: Uint8Array,
  secrets: readonly string[],
  nowMs: number,
): Refusal | null {
  const timestamp = headers.get('x-timestamp');
  const signature = headers.get('x-signature');
  if (timestamp === null || timestamp === '') return missing('X-Timestamp');
  if (signature === null || signature === '') return missing('X-Signature');
  if (!/^\d+$/.test(timestamp))
    return refuse('invalid_request', 'X-Timestamp must be Unix seconds.', { param: 'X-Timestamp' });
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S)
    return refuse('unauthorized', 'X-Timestamp lies more than 5 minutes from the server’s time.', {
      details: `The server’s time is ${Math.floor(nowMs / 1000)}.`,
    });
  const given = Buffer.from(signature, 'base64');
  // Requires the canonical encoding, because the decoder accepts other spellings of the same bytes.
  const canonical = given.length === DIGEST_BYTES && given.toString('base64') === signature;
  const signs = (secret: string): boolean =>
    timingSafeEqual(given, createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest());
  return canonical && secrets.some(signs) ? null : refuse('unauthorized', 'X-Signature does not match the request.');
}
