// Decides whether a refusal becomes a document with messages or an error of the protocol.
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { type Refusal, type RefusalCode, renamed } from '#runtime/call/call.ts';
import { type OperationResult, refusedWith } from './operation.ts';

/** Refusals about the request or the service instead of the purchase. */
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

/** Refusals with `retryAfterS` are temporary; the same request succeeds later. */
export const isProtocol = ({ code, extra }: Refusal): boolean => PROTOCOL.has(code) || extra.retryAfterS !== undefined;

export const outcomeOf = (refusal: Refusal, continueUrl: string | null = null): OperationResult | Refusal =>
  isProtocol(refusal) ? refusal : refusedWith(failureOf(refusal, continueUrl));

const isMalformed = ({ code, extra: { param = '' } }: Refusal): boolean =>
  code === 'invalid_request' && !/(?:^|\.)(?:id|cart_id|token)$/.test(param);

/**
 * Returns a protocol error for an invalid request; null for other refusals. `argument` is the argument that holds the
 * field.
 */
export const malformed = (refusal: Refusal, argument: 'cart' | 'checkout' | null): Refusal | null => {
  if (!isMalformed(refusal)) return null;
  return argument === null ? refusal : renamed(refusal, (param) => `${argument}.${param}`);
};
