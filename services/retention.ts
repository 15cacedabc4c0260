// How long what was is kept, of all that would grow for ever. Domains forget the rest themselves: events and deliveries
// (webhook), sessions and challenges (customer), mail, views, sightings, connections, and idempotency keys (runtime).
import type { Kept } from '#runtime/flow/retention.ts';
import { forgetDead } from '#runtime/postgres/inbox.ts';
import { forgetPromises } from '#services/agent/table/expiry.ts';
import { forgetAdjustments } from '#services/catalog/table/inventory.ts';
import { forgetDecisions } from '#services/order/table/decision.ts';
import { forgetTokens } from '#services/payment/table/token.ts';

export const KEPT: readonly Kept[] = [
  { what: 'decisions about attempts at orders', days: 30, forget: forgetDecisions },
  { what: 'payment tokens that ended', days: 30, forget: forgetTokens },
  { what: 'quotes that became no order', days: 90, forget: forgetPromises('quote') },
  { what: 'cart drafts that became no order', days: 90, forget: forgetPromises('draft') },
  { what: 'checkout intents that became no order', days: 90, forget: forgetPromises('intent') },
  { what: 'events that were given up', days: 90, forget: forgetDead },
  { what: 'adjustments of stock', days: 730, forget: forgetAdjustments },
];
