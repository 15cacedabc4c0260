// Calls other domains on behalf of a call: passes its deadline on, and requires at least its catalogue revision.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { type Call, Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from './runtime.ts';

/** The fields of a call that are passed on to other domains. Background work passes only the tenant. */
export type AskContext = Pick<Call, 'tenant'> & Partial<Pick<Call, 'deadline' | 'requestId' | 'trace' | 'revisionMin'>>;

export interface DomainClient {
  /** Returns the response or the refusal. Throws `Unavailable` where the domain cannot be reached. */
  ask<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R> | Refusal>;
  /** Returns the response. Used for rpcs that never refuse: throws a refusal as `Unavailable`. */
  askOrThrow<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R>>;
  /** Calls on behalf of background work, without a deadline of a caller. Throws unless the call succeeds. */
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
