// Random commands to one variant's stock, in any order and repeated: never more is held than there is, each hold ends once,
// and time and repetition change nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import {
  evolveStock,
  evolveStockAll,
  NO_STOCK,
  STOCK_TIMES,
  type StockAnswer,
  type StockFact,
  type StockLevel,
} from '#services/stock/stock.ts';
import { level, plain, StockActor } from '#test/services/stock/stock_actor.ts';

const someId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const someStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      id: someId,
      quantity: fc.integer({ min: 1, max: 4 }),
      forMs: fc.integer({ min: 1, max: 20_000 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), id: someId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), id: someId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), id: someId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('receive' as const), units: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('due' as const) }) },
);

const ENDS = ['committed', 'released', 'expired'];

const isLive = ({ state, now }: StockActor, id: string): boolean => {
  const hold = state.holds.get(id);
  return hold?.status === 'pending' && hold.until > now;
};

/**
 * Runs random steps of an actor, of Postgres, where units are received and allocated, and of orders that allocate what they
 * hold. An order may read an old level, and commit late or twice.
 */
const run = (
  steps: readonly (typeof someStep extends fc.Arbitrary<infer S> ? S : never)[],
  stale: readonly number[],
) => {
  const actor = new StockActor();
  const levels: StockLevel[] = [level(6, 1, 10)];
  const allocatedHolds = new Set<string>();
  /** Allocated and not committed yet; the hold may have ended by then. */
  const uncommitted = new Map<string, number>();
  /** Allocated, not committed, and no longer held since a time; a commit ends this while the actor knows the hold. */
  const late = new Map<string, { readonly quantity: number; readonly since: number }>();
  let wasLate = false;
  /** The last status of each hold, and since when: one that ended is the same until it is forgotten. */
  const seen = new Map<string, { readonly status: string; readonly at: number }>();
  const current = (): StockLevel => levels.at(-1)!;
  const move = (units: number): void => {
    const { onHand, version, allocated } = current();
    levels.push({ onHand: onHand + units, version: version + 1, allocated: allocated + Math.max(0, -units) });
  };
  let generation = 0;
  const nameOf = (id: string): string => `${id}${Math.floor(generation / 40)}`;
  for (const [at, step] of steps.entries()) {
    generation++;
    const behind = stale[at % stale.length] ?? 0;
    const read = levels[Math.max(0, levels.length - 1 - behind)]!;
    if (step.do === 'wait') actor.now += step.ms;
    else if (step.do === 'receive') move(step.units);
    else if (step.do === 'due') actor.ok({ type: 'Due' });
    else {
      const id = nameOf(step.id);
      let answer: StockAnswer | Refusal | null = null;
      if (step.do === 'hold') {
        answer = actor.hold(id, step.quantity, read, step.forMs);
      } else if (step.do === 'release') {
        if (!allocatedHolds.has(id)) answer = actor.tell({ type: 'Release', hold: id });
      } else if (step.do === 'sell') {
        const quantity = isLive(actor, id) ? actor.state.holds.get(id)!.quantity : undefined;
        if (quantity !== undefined && !allocatedHolds.has(id) && (!wasLate || quantity <= current().onHand)) {
          allocatedHolds.add(id);
          uncommitted.set(id, quantity);
          move(-quantity);
        }
      } else if (allocatedHolds.has(id)) {
        answer = actor.tell({ type: 'Commit', holds: [id], level: current() });
        uncommitted.delete(id);
        if (actor.now < (late.get(id)?.since ?? 0) + STOCK_TIMES.expiredHoldRetentionMs) late.delete(id);
      }
      const status = answer && !(answer instanceof Refusal) ? answer.hold?.status : undefined;
      const before = seen.get(id);
      if (status) {
        if (before && ENDS.includes(before.status) && actor.now < before.at + STOCK_TIMES.endedHoldRetentionMs)
          expect(status).toBe(before.status);
        if (before?.status !== status) seen.set(id, { status, at: actor.now });
      }
    }
    // Postgres never oversells.
    expect(current().onHand).toBeGreaterThanOrEqual(0);
    for (const [id, quantity] of uncommitted)
      if (!isLive(actor, id)) {
        uncommitted.delete(id);
        late.set(id, { quantity, since: actor.now });
        wasLate = true;
      }
    // All free units are available with the newest level.
    const undecided = actor.state.holds
      .all()
      .filter(({ id }) => isLive(actor, id) && !allocatedHolds.has(id))
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const { available } = actor.ok({ type: 'Look', level: current() });
    const free = Math.max(0, current().onHand - undecided);
    const lateUnits = [...late.values()].reduce((sum, { quantity }) => sum + quantity, 0);
    if (!wasLate) expect(available).toBe(free);
    expect(available).toBeLessThanOrEqual(free + lateUnits);
    expect(actor.state.heldUnits).toBeGreaterThanOrEqual(0);
  }
  return { actor, levels, allocatedHolds };
};

describe('random commands', () => {
  test('a shared hold lasts until each holder has released it', () => {
    const someHolder = fc.constantFrom('x', 'y', 'z');
    const someMove = fc.record({ holder: someHolder, takes: fc.boolean(), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(someMove, { minLength: 1, maxLength: 40 }), (moves) => {
        const actor = new StockActor();
        const owning = new Set<string>();
        let ended = false;
        for (const { holder, takes, reads } of moves) {
          if (reads) actor.state = readStock(writeStock(actor.state));
          const hold = { type: 'Hold', hold: 'a', quantity: 2, level: level(3), expiresAt: 9, holder } as const;
          const answer = actor.tell(takes ? hold : { type: 'Release', hold: 'a', holder });
          expect(answer instanceof Refusal).toBe(takes && ended);
          if (takes && !ended) owning.add(holder);
          else if (owning.delete(holder) || owning.size === 0) ended ||= owning.size === 0;
          expect(actor.look().held).toBe(owning.size > 0 ? 2 : 0);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('no more is sold than there is, each hold ends once, and replay equals live', () => {
    fc.assert(
      fc.property(
        fc.array(someStep, { minLength: 1, maxLength: 200 }),
        fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 7 }),
        (steps, stale) => {
          const { actor } = run(steps, stale);
          const facts: StockFact[] = JSON.parse(JSON.stringify(actor.facts));
          expect(plain(facts.reduce(evolveStock, NO_STOCK))).toEqual(plain(actor.state));
          expect(plain(evolveStockAll(NO_STOCK, facts))).toEqual(plain(actor.state));
          expect(plain(readStock(writeStock(actor.state)))).toEqual(plain(actor.state));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('the held units are the sum of the holds', () => {
    fc.assert(
      fc.property(fc.array(someStep, { minLength: 1, maxLength: 120 }), (steps) => {
        const { actor } = run(steps, [0]);
        const holds = actor.state.holds.all();
        const live = holds.filter(({ status }) => !ENDS.includes(status));
        const held = live.filter(({ until }) => until > actor.now).reduce((sum, { quantity }) => sum + quantity, 0);
        expect(actor.look().held).toBe(held);
        const { unitsByExpiry, endedCountByForgetTime } = actor.state;
        const sum = (cohorts: typeof unitsByExpiry): number => cohorts.reduce((total, [, amount]) => total + amount, 0);
        expect(sum(unitsByExpiry)).toBe(actor.state.heldUnits);
        expect(sum(endedCountByForgetTime)).toBe(holds.length - live.length);
      }),
      { numRuns: 300 },
    );
  });
});
