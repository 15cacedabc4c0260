// The kinds of actors of this domain, for the actor host. Throttles are always real time, so each of them belongs to
// the production tenant of its store, whose clock cannot be moved, whichever environment's requests it counts.
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

/** Named `<scope>/<subject>`. */
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

/** Named after what is slowed down. */
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
