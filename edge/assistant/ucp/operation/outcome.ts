// What a refusal becomes: a document that tells of it, where the assistant can go on from there, else the binding's own
// error.
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { type Refusal, type RefusalCode, renamed } from '#runtime/call/call.ts';
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

/** The request is wrong in itself, whatever the store has. Goods, carts and tokens that are none are outcomes. */
const isMalformed = ({ code, extra: { param = '' } }: Refusal): boolean =>
  code === 'invalid_request' && !/(?:^|\.)(?:id|cart_id|token)$/.test(param);

/**
 * What is wrong in the request itself, as the binding's own error; null: the refusal is of another kind. `argument`: the one of
 * the operation's that holds the field.
 */
export const malformed = (refusal: Refusal, argument: 'cart' | 'checkout' | null): Refusal | null => {
  if (!isMalformed(refusal)) return null;
  return argument === null ? refusal : renamed(refusal, (param) => `${argument}.${param}`);
};
