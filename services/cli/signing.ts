// Signs requests as a merchant's server does.
import { createHmac } from 'node:crypto';

/** Seconds before and after now that count, with some to spare. */
const TOLERANCE_S = 290;
const REMEMBERED_MAX = 20_000;

/** The newest signatures given out, the oldest of them first. */
const given = new Set<string>();

/**
 * Two requests with equal bodies and one timestamp would have one signature, which is good for one of them alone: the
 * second takes the timestamp next to it.
 */
export const signatureHeaders = (secret: string, body: string | Uint8Array): Readonly<Record<string, string>> => {
  const now = Math.floor(Date.now() / 1_000);
  for (let distance = 0; distance <= TOLERANCE_S; distance++) {
    for (const timestamp of [now - distance, now + distance]) {
      const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64');
      if (given.has(signature)) continue;
      given.add(signature);
      if (given.size > REMEMBERED_MAX) given.delete(given.keys().next().value!);
      return { 'X-Timestamp': String(timestamp), 'X-Signature': signature };
    }
  }
  throw new RangeError('Too many requests with one body in five minutes: let their bodies differ.');
};
