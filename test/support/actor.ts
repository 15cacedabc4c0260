// Provides an actor host without actors, for tests of domains that send no commands.
import type { Actors } from '#runtime/actor/host.ts';
import { Unavailable } from '#runtime/call/fault.ts';

/** A host without actors: each caller gets a refusal to retry. */
export const noActors: Actors = {
  register: () => {},
  tell: async () => {
    throw new Unavailable('No actors are hosted here.');
  },
  runDue: async () => [],
  nextDue: async () => null,
  forget: async () => {},
  idempotentCall: () => ({
    actors: noActors,
    replayed: false,
    response: null,
    storedResponse: async () => null,
    storeResponse: () => {},
  }),
};
