// What the edge itself asks of a domain, outside any caller's request: typed by the map of rpcs.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { NO_TENANT, type Refusal } from '#runtime/call.ts';
import type { Caller, Wire } from '#runtime/link/frame.ts';

/** The house itself, on behalf of no store. */
export const HOUSE: Caller = { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null };

export interface OwnCall {
  readonly caller: Caller;
  readonly timeoutMs: number;
  /** The request that it is asked for; empty where there is none. */
  readonly requestId?: string;
  /** W3C traceparent of that request's span. */
  readonly trace?: string;
  /** A write whose answer is lost is unknown, a read can be asked again. */
  readonly write?: boolean;
}

const decoder = new TextDecoder();

export const ownCall = async <R extends RpcName>(
  wire: Wire,
  rpc: R,
  input: RpcRequest<R>,
  { caller, timeoutMs, requestId = '', trace = '', write = false }: OwnCall,
): Promise<RpcResponse<R> | Refusal> => {
  const answer = await wire.ask(
    {
      rpc,
      caller,
      timeoutMs,
      requestId,
      trace,
      input: JSON.stringify(input),
      rawBody: null,
      contentType: '',
      idempotency: null,
      revisionMin: 0,
    },
    write,
  );
  return answer.refused ?? JSON.parse(decoder.decode(answer.body));
};
