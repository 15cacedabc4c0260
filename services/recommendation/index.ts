// Recommendations, learned from storefront events and orders.
import { type Due, sequentialDue } from '#runtime/domain/due.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { openSellingMerchants } from '#services/commerce/selling_merchant.ts';
import { openAvailability, type RecommendationAvailability } from './availability.ts';
import { openRecommendationClients } from './client.ts';
import { startReactor } from './reactor.ts';
import { openRecommender } from './recommender.ts';
import { Recorder } from './recorder.ts';
import { recommendationHandlers } from './rpc.ts';
import { startSweep } from './sweep.ts';
import { resetAvailability } from './table/availability.ts';

/** Rechecks availability during an advance of a sandbox's clock, when the pair that proves it becomes too old. */
const availabilityDue = (clock: Clock, recorder: Recorder, availability: RecommendationAvailability): Due =>
  sequentialDue(clock, {
    first: async (tenant, { target }) => {
      await recorder.flush();
      const at = await availability.expiresAt(tenant);
      return at !== null && at <= target ? { id: 'availability', at } : null;
    },
    fire: async (tenant) => ((await availability.recheck(tenant)) ? ['feature.status_changed'] : []),
  });

export const recommendation = (runtime: Runtime): Domain => {
  const sellingMerchants = openSellingMerchants(runtime);
  const clients = openRecommendationClients(runtime, sellingMerchants);
  const availability = openAvailability(runtime, clients);
  const recorder = new Recorder(runtime, clients, availability);
  const recommender = openRecommender(runtime, clients, availability, recorder);
  let inbox: Inbox | null = null;
  let stopSweep: (() => void) | null = null;
  return {
    name: 'recommendation',
    services: { Recommendation: recommendationHandlers(runtime.clock, clients, recorder, recommender) },
    due: [availabilityDue(runtime.clock, recorder, availability)],
    reset: {
      tables: { 'recommendation.interaction': 'cleared', 'recommendation.availability': 'retained' },
      settle: ({ sql }, tenant) => resetAvailability(sql, tenant),
      discardPending: (tenant) => recorder.discard(tenant),
      forget: async (tenant) => {
        clients.forgetCustomers(tenant);
        await availability.publishAll();
      },
    },
    onNotice: { store: ({ tenant }) => sellingMerchants.forget(tenant.store) },
    start: async () => {
      inbox = startReactor(runtime, availability);
      stopSweep = startSweep(runtime, availability);
    },
    stop: async () => {
      stopSweep?.();
      await inbox?.stop();
      await recorder.stop();
    },
  };
};
