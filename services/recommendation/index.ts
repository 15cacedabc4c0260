// Recommendations: what shoppers met together, learnt from storefront events and orders.
import { type Due, oneByOne } from '#runtime/domain/due.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { openNeighbours } from './neighbour.ts';
import { startReactor } from './reactor.ts';
import { openRecommender } from './recommender.ts';
import { Recorder } from './recorder.ts';
import { recommendationHandlers } from './rpc.ts';
import { openStandings, type Standings } from './standing.ts';
import { startSweep } from './sweep.ts';
import { forgetStanding } from './table/standing.ts';

/** What proves that recommendations are available grows too old by time alone: a clock advance announces it. */
const standingDue = (clock: Clock, recorder: Recorder, standings: Standings): Due =>
  oneByOne(clock, {
    first: async (tenant, { target }) => {
      // What was told of before the journey belongs to the time before it.
      await recorder.settle();
      const at = await standings.until(tenant);
      return at !== null && at <= target ? { id: 'standing', at } : null;
    },
    fire: async (tenant) => ((await standings.shrank(tenant)) ? ['feature.status_changed'] : []),
  });

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
