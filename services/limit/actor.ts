// Defines the actor kinds of rate limits. Limits count requests of both environments in real time, so their actors
// belong to the store's production tenant, whose clock cannot be advanced.
import type { ActorKind } from '#runtime/actor/kind.ts';
import {
  decideLimit,
  evolveLimit,
  type LimitAnswer,
  type LimitCommand,
  type LimitState,
  NO_LIMIT,
  type TakenLease,
} from './limit.ts';
import { decidePace, evolvePace, NO_PACE, type Pace, type PaceCommand, type PaceFact, paceExpiresAt } from './pace.ts';

/** Defines the actors that count requests. An actor's id is `<scope>/<subject>`. */
export const LIMIT: ActorKind<LimitState, LimitCommand, TakenLease, LimitAnswer> = {
  name: 'limit',
  initial: NO_LIMIT,
  decide: decideLimit,
  evolve: evolveLimit,
  dueAt: () => null,
  due: { type: 'Read', scope: 'month' },
  isDisposable: () => false,
  expiresAt: ({ end }) => end * 1000,
};

export const PACE: ActorKind<Pace, PaceCommand, PaceFact, number> = {
  name: 'pace',
  initial: NO_PACE,
  decide: decidePace,
  evolve: evolvePace,
  dueAt: () => null,
  due: { after: 0 },
  isDisposable: () => false,
  expiresAt: paceExpiresAt,
};
