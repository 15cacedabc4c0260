// What a refusal becomes: a document that tells of it, where the assistant can go on from there, else the binding's own
// error.
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import type { Refusal, RefusalCode } from '#runtime/call/call.ts';
import { type Given, refusedWith } from './operation.ts';

/** No outcome of shopping, but of how the request was sent or of how the house stands. */
const PROTOCOL: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'unauthorized',
  'forbidden',
  'rate_limited',
  'quota_exceeded',
  'service_unavailable',
  'server_error',
  'idempotency_conflict',
  'payload_too_large',
]);

/** What is over in a moment, such as the first request of a key, is none either: the same request is sent again then. */
export const isProtocol = ({ code, extra }: Refusal): boolean => PROTOCOL.has(code) || extra.retryAfterS !== undefined;

/** `continueUrl`: where a buyer can go instead. */
export const settled = (refusal: Refusal, continueUrl: string | null = null): Given | Refusal =>
  isProtocol(refusal) ? refusal : refusedWith(failureOf(refusal, continueUrl));
