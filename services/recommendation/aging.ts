// What proves that recommendations are available grows too old by time alone: a journey through time has it happen.

import { type Due, oneByOne } from '#runtime/domain/due.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Recorder } from './recorder.ts';
import type { Standings } from './standing.ts';

export const standingDue = (clock: Clock, recorder: Recorder, standings: Standings): Due =>
  oneByOne(clock, {
    first: async (tenant, { target }) => {
      // What was told of before the journey belongs to the time before it.
      await recorder.settle();
      const at = await standings.until(tenant);
      return at !== null && at <= target ? { id: 'standing', at } : null;
    },
    fire: async (tenant) => ((await standings.shrank(tenant)) ? ['feature.status_changed'] : []),
  });
