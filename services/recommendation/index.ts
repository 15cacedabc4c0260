// Recommendations: what shoppers met together, learnt from storefront events and orders.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { standingDue } from './aging.ts';
import { openNeighbours } from './neighbour.ts';
import { startReactor } from './reactor.ts';
import { openRecommender } from './recommender.ts';
import { Recorder } from './recorder.ts';
import { recommendationHandlers } from './rpc.ts';
import { openStandings } from './standing.ts';
import { startSweep } from './sweep.ts';
import { forgetStanding } from './table/standing.ts';

export const recommendation = (runtime: Runtime): Domain => {
  const neighbours = openNeighbours(runtime);
  const standings = openStandings(runtime, neighbours);
  const recorder = new Recorder(runtime, neighbours, standings);
  const recommender = openRecommender(runtime, neighbours, standings, recorder);
  let inbox: Inbox | null = null;
  let unsweep: (() => void) | null = null;
  return {
    name: 'recommendation',
    services: { Recommendation: recommendationHandlers(runtime.clock, neighbours, recorder, recommender) },
    due: [standingDue(runtime.clock, recorder, standings)],
    reset: {
      tables: { 'recommendation.sighting': 'cleared', 'recommendation.standing': 'kept' },
      // The store's features are told that there is nothing any more.
      settle: ({ sql }, tenant) => forgetStanding(sql, tenant),
      unhear: (tenant) => recorder.forget(tenant),
      forget: async (tenant) => {
        neighbours.forget(tenant);
        await standings.tellAll();
      },
    },
    start: async () => {
      inbox = startReactor(runtime, standings);
      unsweep = startSweep(runtime, standings);
    },
    stop: async () => {
      unsweep?.();
      await inbox?.stop();
      await recorder.stop();
    },
  };
};
