// Limits: the counters of requests that edges share, as actors.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { LIMIT, PACE } from './actor.ts';
import { limitHandlers } from './rpc.ts';

export const limit = (foundation: Foundation): Domain => {
  foundation.actors.register(LIMIT);
  foundation.actors.register(PACE);
  return { name: 'limit', services: { Limit: limitHandlers(foundation) } };
};
