// Orders as assistants follow them, and where the pages that links lead to find what they show.
import type { AssistantRpcs, FindEnvironmentRequest, FindEnvironmentResponse } from '#proto/gen/assistant.ts';
import { type Call, type Environment, notFound, Refusal } from '#runtime/call/call.ts';
import type { AskingCall, DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

type Kind = FindEnvironmentRequest['kind'];

export const orderHandlers = ({ ask }: DomainClient): Pick<Handlers<AssistantRpcs>, 'GetOrder' | 'FindEnvironment'> => {
  const find = (kind: Kind, call: AskingCall, id: string) =>
    kind === 'order' ? ask('Order/GetOrder', call, { id }) : ask('Agent/GetCheckoutIntent', call, { id });

  return {
    GetOrder: query((_sql, call: Call, { id }) => ask('Order/GetOrder', call, { id })),

    FindEnvironment: query(async (_sql, call: Call, { kind, id }): Promise<FindEnvironmentResponse | Refusal> => {
      const { deadline, requestId, trace } = call;
      for (const environment of ENVIRONMENTS) {
        const tenant = { store: call.tenant.store, environment };
        const found = await find(kind, { tenant, deadline, requestId, trace }, id);
        if (!(found instanceof Refusal)) return { environment };
        if (found.code !== 'not_found') return found;
      }
      return notFound(kind);
    }),
  };
};
