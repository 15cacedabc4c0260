// The Agent API as the host sees it: quotes, cart drafts, checkout intents.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openAppraisal } from './appraisal.ts';
import { agentDirectoryHandlers } from './directory.ts';
import { promisesDue } from './expiry.ts';
import { openIntentHolds } from './intent_hold.ts';
import { openIntentSources } from './intent_source.ts';
import { openOwedHolds } from './owed_hold.ts';
import { RETENTION } from './retention.ts';
import { cartHandlers, draftHandlers } from './rpc/draft.ts';
import { checkoutHandlers, intentHandlers } from './rpc/intent.ts';
import { quoteHandlers } from './rpc/quote.ts';

export const agent = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const appraisal = openAppraisal(domainClient);
  const sources = openIntentSources(runtime, appraisal);
  const holds = openIntentHolds(domainClient);
  const owed = openOwedHolds(runtime, holds);
  const parts = { appraisal, sources, holds, owed };
  let stopOwed = (): void => {};
  return {
    name: 'agent',
    retention: RETENTION,
    due: promisesDue(runtime),
    reset: {
      tables: {
        'agent.quote': 'cleared',
        'agent.draft': 'cleared',
        'agent.intent': 'cleared',
        'agent.owed_hold': 'cleared',
      },
    },
    services: {
      Agent: {
        ...quoteHandlers(runtime, appraisal),
        ...draftHandlers(runtime, appraisal),
        ...intentHandlers(runtime, parts),
      },
      AgentSession: {
        ...checkoutHandlers(runtime, parts),
        ...cartHandlers(runtime, appraisal),
      },
      AgentDirectory: agentDirectoryHandlers(runtime, appraisal),
    },
    start: async () => {
      stopOwed = owed.start();
    },
    stop: async () => stopOwed(),
  };
};
