// A refusal as an error of JSON-RPC.
import type { Refusal } from '#runtime/call/call.ts';

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
