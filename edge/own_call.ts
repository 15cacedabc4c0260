// Calls an rpc of a domain on behalf of the edge itself, with the types of its request and response.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { NO_TENANT, type Refusal } from '#runtime/call/call.ts';
import type { Caller, LinkClient } from '#runtime/link/frame.ts';
import { traced } from '#runtime/link/span.ts';
import { untraced } from '#runtime/process/trace.ts';

/** Caller in the edge's own calls, which belong to no store. */
export const EDGE_CALLER: Caller = { tenant: NO_TENANT, keyType: 'internal', keyId: '', customer: null };

export interface EdgeOrigin {
  readonly requestId: string;
  readonly trace: string;
}

/** Origin of calls that no request caused, so they belong to no trace. */
export const EDGE_ORIGIN: EdgeOrigin = {
  requestId: '',
  get trace() {
    return untraced();
  },
};

export interface OwnCall {
  readonly caller: Caller;
  readonly timeoutMs: number;
  readonly origin?: EdgeOrigin;
  /** Whether the call changes state. A write that is not answered has an unknown outcome; a read is repeated. */
  readonly write?: boolean;
}

const decoder = new TextDecoder();

export const ownCall = async <R extends RpcName>(
  wire: LinkClient,
  rpc: R,
  input: RpcRequest<R>,
  { caller, timeoutMs, origin = EDGE_ORIGIN, write = false }: OwnCall,
): Promise<RpcResponse<R> | Refusal> => {
  const request = { rpc, caller, requestId: origin.requestId };
  const answer = await traced(request, origin.trace, (trace) =>
    wire.ask(
      {
        ...request,
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
