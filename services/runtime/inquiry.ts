// How one domain asks another within a call: as new as the caller has seen it, for as long as he waits.
import { type Call, Refusal, Rendered } from './call.ts';
import { Unavailable } from './fault.ts';
import type { Foundation } from './foundation.ts';

export interface Inquiry {
  /** The answer, or why there is none. A domain that cannot be reached is thrown: nothing was done, try again. */
  ask<O>(rpc: string, call: Call, input: unknown): Promise<O | Refusal>;
  /** For what is never refused. */
  must<O>(rpc: string, call: Call, input: unknown): Promise<O>;
  /** After the fact, with nobody waiting: thrown unless it was done. */
  tell(rpc: string, call: Pick<Call, 'tenant'>, input: unknown): Promise<void>;
}

export const openInquiry = ({ ask: asked }: Pick<Foundation, 'ask'>): Inquiry => {
  const ask = async <O>(rpc: string, call: Call, input: unknown): Promise<O | Refusal> => {
    const { deadline, requestId, trace, revisionMin } = call;
    const reply = await asked<O>(rpc, call.tenant, input, { deadline, requestId, trace, revisionMin, reads: true });
    if (reply instanceof Rendered) throw new Error(`${rpc} answered bytes.`);
    if (reply instanceof Refusal && reply.code === 'service_unavailable') throw new Unavailable(reply.message);
    return reply;
  };
  return {
    ask,
    must: async <O>(rpc: string, call: Call, input: unknown): Promise<O> => {
      const reply = await ask<O>(rpc, call, input);
      if (reply instanceof Refusal) throw new Unavailable(`${rpc}: ${reply.message}`);
      return reply;
    },
    tell: async (rpc, { tenant }, input) => {
      const reply = await asked(rpc, tenant, input, { reads: true });
      if (reply instanceof Refusal) throw new Unavailable(`${rpc}: ${reply.message}`);
    },
  };
};
