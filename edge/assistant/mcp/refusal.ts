// A refusal as an error of JSON-RPC, and the status of HTTP that says the same.
import { statusOf } from '#edge/gates/refusal.ts';
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

/** Thrown to the protocol's server, which answers with its code, message and data. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of HTTP; 200 where the call itself is wrong, which JSON-RPC alone tells. */
  readonly status: number;

  constructor(code: number, message: string, data: Readonly<Record<string, unknown>>, status: number) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }

  static of(refusal: Refusal): RpcError {
    const code = rpcCode(refusal);
    return new RpcError(code, refusal.message, rpcData(refusal), code === INVALID_PARAMS ? 200 : statusOf(refusal));
  }
}
