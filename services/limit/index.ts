// Hosts the request counters that edges share; each counter is an actor.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LIMIT, PACE } from './actor.ts';
import { limitHandlers } from './rpc.ts';

export const limit = (runtime: Runtime): Domain => {
  runtime.actors.register(LIMIT);
  runtime.actors.register(PACE);
  return { name: 'limit', services: { Limit: limitHandlers(runtime) } };
};
