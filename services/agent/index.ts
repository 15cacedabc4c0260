// The Agent API as the host sees it: quotes, cart drafts, checkout intents.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
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

export const agent = (foundation: Foundation): Domain => {
  const inquiry = openInquiry(foundation);
  const appraisal = openAppraisal(inquiry);
  const sources = openIntentSources(foundation, appraisal);
  const holds = openIntentHolds(inquiry);
  const owed = openOwedHolds(foundation, holds);
  const parts = { appraisal, sources, holds, owed };
  let stopOwed = (): void => {};
  return {
    name: 'agent',
    retention: RETENTION,
    due: promisesDue(foundation),
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
        ...quoteHandlers(foundation, appraisal),
        ...draftHandlers(foundation, appraisal),
        ...intentHandlers(foundation, parts),
      },
      AgentSession: {
        ...checkoutHandlers(foundation, parts),
        ...cartHandlers(foundation, appraisal),
      },
      AgentDirectory: agentDirectoryHandlers(foundation, appraisal),
    },
    start: async () => {
      stopOwed = owed.start();
    },
    stop: async () => stopOwed(),
  };
};
