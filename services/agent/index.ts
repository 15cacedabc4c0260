// The agent domain: quotes, cart drafts and checkout intents.
import type { Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Due, expiryDue } from '#runtime/domain/due.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { openAppraisal } from './appraisal.ts';
import { agentDirectoryHandlers } from './directory.ts';
import { openIntentHolds } from './intent_hold.ts';
import { openIntentSources } from './intent_source.ts';
import { openPendingReleases } from './pending_release.ts';
import { cartHandlers, draftHandlers } from './rpc/draft.ts';
import { checkoutHandlers, intentHandlers } from './rpc/intent.ts';
import { quoteHandlers } from './rpc/quote.ts';
import { agentErasures } from './table/erasure.ts';
import { deleteExpired, findExpiry, type OfferKind } from './table/expiry.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'quotes that became no order', days: 90, setting: 'checkouts_days', forget: deleteExpired('quote') },
  { what: 'cart drafts that became no order', days: 90, setting: 'checkouts_days', forget: deleteExpired('draft') },
  {
    what: 'checkout intents that became no order',
    days: 90,
    setting: 'checkouts_days',
    forget: deleteExpired('intent'),
  },
];

const NOUNS: Readonly<Record<OfferKind, string>> = {
  quote: 'quote',
  draft: 'cart_draft',
  intent: 'checkout_intent',
};

const promisesDue = ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>): readonly Due[] =>
  (Object.keys(NOUNS) as OfferKind[]).map((kind) => {
    const find = (tenant: Tenant, from: number, until: number) =>
      findExpiry(postgres.sql, tenant, kind, new Date(from), new Date(until));
    return expiryDue(clock, {
      type: NOUNS[kind],
      first: async (...span) => (await find(...span)).first?.getTime() ?? null,
      count: async (...span) => (await find(...span)).ended,
    });
  });

export const agent = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const appraisal = openAppraisal(domainClient);
  const sources = openIntentSources(runtime, appraisal);
  const holds = openIntentHolds(domainClient);
  const releases = openPendingReleases(runtime, holds);
  const parts = { appraisal, sources, holds, releases };
  return {
    name: 'agent',
    retention: RETENTION,
    erasures: agentErasures,
    personalRecords: ['cart_draft', 'checkout_intent', 'quote'],
    due: promisesDue(runtime),
    jobs: [releases.job],
    reset: {
      tables: {
        'agent.quote': 'cleared',
        'agent.draft': 'cleared',
        'agent.intent': 'cleared',
        'agent.pending_release': 'cleared',
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
  };
};
