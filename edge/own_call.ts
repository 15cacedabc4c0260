// What the edge itself asks of a domain, outside any caller's request: typed by the map of rpcs.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { NO_TENANT, type Refusal } from '#runtime/call/call.ts';
import type { Caller, Wire } from '#runtime/link/frame.ts';
import { traced } from '#runtime/link/span.ts';
import { untraced } from '#runtime/process/trace.ts';

/** The house itself, on behalf of no store. */
export const HOUSE: Caller = { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null };

/** A request, as what is asked for it names it. */
export interface EdgeOrigin {
  readonly requestId: string;
  /** W3C traceparent of its span, or of its caller's. */
  readonly trace: string;
}

/** The edge itself, on no request's behalf: what it asks is no part of any trace. */
export const ITSELF: EdgeOrigin = {
  requestId: '',
  get trace() {
    return untraced();
  },
};

export interface OwnCall {
  readonly caller: Caller;
  readonly timeoutMs: number;
  /** The request that it is asked for; absent where the edge asks for itself. */
  readonly origin?: EdgeOrigin;
  /** A write whose answer is lost is unknown, a read can be asked again. */
  readonly write?: boolean;
}

const decoder = new TextDecoder();

export const ownCall = async <R extends RpcName>(
  wire: Wire,
  rpc: R,
  input: RpcRequest<R>,
  { caller, timeoutMs, origin = ITSELF, write = false }: OwnCall,
): Promise<RpcResponse<R> | Refusal> => {
  const asked = { rpc, caller, requestId: origin.requestId };
  const answer = await traced(asked, origin.trace, (trace) =>
    wire.ask(
      {
        ...asked,
        timeoutMs,
        trace,
        input: JSON.stringify(input),
        rawBody: null,
        contentType: '',
        idempotency: null,
        revisionMin: 0,
      },
      write,
    ),
  );
  return answer.refused ?? JSON.parse(decoder.decode(answer.body));
};
