// How one domain asks another within a call: as new as the caller has seen it, and no longer than the caller waits.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { type Call, Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from './runtime.ts';

/** What of a call goes with the question; less where no caller waits. The asked domain sees a call of the house. */
export type AskContext = Pick<Call, 'tenant'> & Partial<Pick<Call, 'deadline' | 'requestId' | 'trace' | 'revisionMin'>>;

export interface DomainClient {
  /** The answer, or why there is none. A domain that cannot be reached is thrown: nothing was done, try again. */
  ask<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R> | Refusal>;
  /** For what is never refused: a refusal is thrown. */
  askOrThrow<R extends RpcName>(rpc: R, call: AskContext, input: RpcRequest<R>): Promise<RpcResponse<R>>;
  /** After the fact, when no caller waits: thrown unless it was done. */
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
