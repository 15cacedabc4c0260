// The assistant domain: answers shopping assistants from data of other domains and stores nothing.
import type {
  AssistantRpcs,
  FindEnvironmentRequest,
  FindEnvironmentResponse,
  ReadPlatformRequest,
  ReadPlatformResponse,
} from '#proto/gen/assistant.ts';
import { type Call, type Environment, notFound, Refusal } from '#runtime/call/call.ts';
import { type AskContext, type DomainClient, openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Domain, type Handlers, query, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openPlatforms, type ReadPlatform } from './platform.ts';
import { catalogueHandlers } from './rpc/catalogue.ts';
import { deliveryHandlers } from './rpc/delivery.ts';
import { shopHandlers } from './rpc/store.ts';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

type Kind = FindEnvironmentRequest['kind'];

const orderHandlers = ({ ask }: DomainClient): Pick<Handlers<AssistantRpcs>, 'GetOrder' | 'FindEnvironment'> => {
  const find = (kind: Kind, call: AskContext, id: string) =>
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

const platformHandlers = (readPlatform: ReadPlatform): Pick<Handlers<AssistantRpcs>, 'ReadPlatform'> => ({
  ReadPlatform: read<ReadPlatformRequest, ReadPlatformResponse>((call, { profile, kid }) =>
    readPlatform(profile, call.tenant.environment, kid ?? null),
  ),
});

export const assistant = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const { clock, resolve, settings } = runtime;
  const outbound = connectOutbound({ allowLocal: settings.allowLocal, resolve });
  return {
    name: 'assistant',
    services: {
      Assistant: {
        ...shopHandlers(domainClient),
        ...catalogueHandlers(runtime),
        ...deliveryHandlers(domainClient),
        ...orderHandlers(domainClient),
        ...platformHandlers(openPlatforms(outbound, clock)),
      },
    },
  };
};
