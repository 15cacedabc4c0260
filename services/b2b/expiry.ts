// Quotes end by the clock alone, read or not: a journey through time only tells of it.
import type { Tenant } from '#runtime/call/call.ts';
import { type Due, lapsing } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { findQuoteExpiry } from './table/quote.ts';

export const quotesDue = ({ postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>): Due => {
  const find = (tenant: Tenant, from: number, until: number) =>
    findQuoteExpiry(postgres.sql, tenant, new Date(from), new Date(until));
  return lapsing(clock, {
    type: 'b2b_quote',
    first: async (...span) => (await find(...span)).first?.getTime() ?? null,
    count: async (...span) => (await find(...span)).ended,
  });
};
