// Converts refusals to JSON-RPC errors and HTTP statuses.
import { statusOf } from '#edge/gates/refusal.ts';
import type { Refusal } from '#runtime/call/call.ts';

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const SERVER_ERROR = -32000;

export const rpcCode = ({ code }: Refusal): number => {
  if (code === 'invalid_request') return INVALID_PARAMS;
  return code === 'server_error' ? INTERNAL : SERVER_ERROR;
};

export const rpcData = ({ code, extra }: Refusal): Record<string, unknown> => ({
  code,
  ...(extra.param !== undefined && { path: extra.param }),
  ...(extra.details !== undefined && { details: extra.details }),
  ...(extra.hint !== undefined && { hint: extra.hint }),
  ...(extra.retryAfterS !== undefined && { retry_after: Math.max(1, Math.ceil(extra.retryAfterS)) }),
});

/** An error that handlers throw; the SDK sends its code, message and data to the client. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** HTTP status; 200 if only the JSON-RPC response reports the error. */
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
