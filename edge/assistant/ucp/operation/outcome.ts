// Decides whether a refusal is sent as a document with messages or as a protocol error.
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { type Refusal, type RefusalCode, renamed } from '#runtime/call/call.ts';
import { type OperationResult, refusedWith } from './operation.ts';

/** Codes of refusals that concern the request or the service, not the purchase. */
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

/** Returns whether a refusal is a protocol error. A refusal with `retryAfterS` is temporary, so it is one. */
export const isProtocol = ({ code, extra }: Refusal): boolean => PROTOCOL.has(code) || extra.retryAfterS !== undefined;

export const outcomeOf = (refusal: Refusal, continueUrl: string | null = null): OperationResult | Refusal =>
  isProtocol(refusal) ? refusal : refusedWith(failureOf(refusal, continueUrl));

const isMalformed = ({ code, extra: { param = '' } }: Refusal): boolean =>
  code === 'invalid_request' && !/(?:^|\.)(?:id|cart_id|token)$/.test(param);

/**
 * Returns a protocol error if the request is malformed, else null. `argument` names the argument that contains the
 * refusal's field.
 */
export const malformed = (refusal: Refusal, argument: 'cart' | 'checkout' | null): Refusal | null => {
  if (!isMalformed(refusal)) return null;
  return argument === null ? refusal : renamed(refusal, (param) => `${argument}.${param}`);
};
