// The Agent API as the host sees it: quotes, cart drafts, checkout intents.
import type { Foundation } from '#runtime/foundation.ts';
import { openInquiry } from '#runtime/inquiry.ts';
import type { Domain } from '#runtime/rpc.ts';
import { openAppraisal } from './appraisal.ts';
import { agentDirectoryHandlers } from './directory.ts';
import { promisesDue } from './expiry.ts';
import { agentHandlers } from './rpc.ts';

export const agent = (foundation: Foundation): Domain => {
  const inquiry = openInquiry(foundation);
  const parts = { appraisal: openAppraisal(inquiry), inquiry };
  return {
    name: 'agent',
    due: promisesDue(foundation),
    reset: { tables: { 'agent.quote': 'cleared', 'agent.draft': 'cleared', 'agent.intent': 'cleared' } },
    services: {
      Agent: agentHandlers(foundation, parts),
      AgentDirectory: agentDirectoryHandlers(foundation, parts.appraisal),
    },
  };
};
