// What a refusal becomes: a document that tells of it, where the assistant can go on from there, else the protocol's own
// error.
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import type { Refusal, RefusalCode } from '#runtime/call/call.ts';
import { type Given, refusedWith } from './tool.ts';

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

export const isProtocol = ({ code }: Refusal): boolean => PROTOCOL.has(code);

/** `continueUrl`: where a buyer can go instead. */
export const settled = (refusal: Refusal, continueUrl: string | null = null): Given | Refusal =>
  isProtocol(refusal) ? refusal : refusedWith(failureOf(refusal, continueUrl));

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const OF_THE_SERVER = -32000;

export const rpcCode = ({ code }: Refusal): number => {
  if (code === 'invalid_request') return INVALID_PARAMS;
  return code === 'server_error' ? INTERNAL : OF_THE_SERVER;
};

/** What a client may read beside the message. */
export const rpcData = ({ code, extra }: Refusal): Record<string, unknown> => ({
  code,
  ...(extra.param !== undefined && { path: extra.param }),
  ...(extra.details !== undefined && { details: extra.details }),
  ...(extra.hint !== undefined && { hint: extra.hint }),
  ...(extra.retryAfterS !== undefined && { retry_after: Math.max(1, Math.ceil(extra.retryAfterS)) }),
});
