// Quotes, drafts and intents end by the clock alone, whether or not they are read: a journey through time only tells of it.
import type { Tenant } from '#runtime/call/call.ts';
import { type Due, lapsing } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { findExpiry, type Promised } from './table/expiry.ts';

const NOUNS: Readonly<Record<Promised, string>> = {
  quote: 'quote',
  draft: 'cart_draft',
  intent: 'checkout_intent',
};

export const promisesDue = ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>): readonly Due[] =>
  (Object.keys(NOUNS) as Promised[]).map((kind) => {
    const find = (tenant: Tenant, from: number, until: number) =>
      findExpiry(postgres.sql, tenant, kind, new Date(from), new Date(until));
    return lapsing(clock, {
      type: NOUNS[kind],
      first: async (...span) => (await find(...span)).first?.getTime() ?? null,
      count: async (...span) => (await find(...span)).ended,
    });
  });
