// Calls another domain within a call: with the caller's deadline and at least its catalogue revision.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { type Call, Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from './runtime.ts';

/** The part of a call that travels with the request. Background work passes the tenant alone. */
export type AskContext = Pick<Call, 'tenant'> & Partial<Pick<Call, 'deadline' | 'requestId' | 'trace' | 'revisionMin'>>;

export interface DomainClient {
  /** Returns the response or the refusal. Throws `Unavailable` where the domain cannot be reached. */
  ask<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R> | Refusal>;
  /** Throws refusals as `Unavailable`: for rpcs that are never refused. */
  askOrThrow<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R>>;
  /** For background work. Throws unless the call succeeded. */
  askDetached<R extends RpcName>(rpc: R, call: { readonly tenant: Tenant }, input: RpcRequest<R>): Promise<void>;
}

export const openDomainClient = ({ ask: asked }: Pick<Runtime, 'ask'>): DomainClient => {
  const ask: DomainClient['ask'] = async (rpc, call, input) => {
    const { deadline, requestId, trace, revisionMin } = call;
    const options = { requestId, trace, revisionMin, reads: true } as const;
    const reply = await asked(rpc, call.tenant, input, deadline === undefined ? options : { ...options, deadline });
    if (reply instanceof Refusal && reply.code === 'service_unavailable') throw new Unavailable(reply.message);
    return reply;
  };
  return {
    ask,
    askOrThrow: async (rpc, call, input) => {
      const reply = await ask(rpc, call, input);
      if (reply instanceof Refusal) throw new Unavailable(`${rpc}: ${reply.message}`);
      return reply;
    },
    askDetached: async (rpc, { tenant }, input) => {
      const reply = await asked(rpc, tenant, input, { reads: true });
      if (reply instanceof Refusal) throw new Unavailable(`${rpc}: ${reply.message}`);
    },
  };
};
