// Identifies retries by the client's idempotency key, the operation and a hash of the body.
import { createHash } from 'node:crypto';
import { type Idempotency, type Refusal, refuse } from '#runtime/call/call.ts';

const WELL_FORMED = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

export function readIdempotency(
  header: string | null,
  required: boolean,
  scope: string,
  search: string,
  body: Uint8Array,
): Idempotency | null | Refusal {
  if (header === null)
    return required
      ? refuse('invalid_request', 'The header Idempotency-Key is required.', { param: 'Idempotency-Key' })
      : null;
  if (!WELL_FORMED.test(header))
    return refuse('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
      param: 'Idempotency-Key',
    });
  const fingerprint = createHash('sha256').update(search).update('\n').update(body).digest('hex');
  return { key: header, scope, fingerprint, replayOnly: false };
}
