// One variant's stock, in any order and told any number of times: never more is held than there is, each hold ends once, and
// time and repetition change nothing.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { readStock, writeStock } from '#services/stock/snapshot.ts';
import {
  evolveStock,
  evolveStockAll,
  NO_STOCK,
  type StockAnswer,
  type StockFact,
  type StockLevel,
} from '#services/stock/stock.ts';
import { Actor, level, plain, statusOf } from '#test/services/stock/variant.ts';

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
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pin' as const), id: someId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sell' as const), id: someId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), id: someId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), id: someId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('receive' as const), pieces: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 15_000 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('due' as const) }) },
);

const ENDS = ['committed', 'released', 'expired'];

const isLive = ({ state, now }: Actor, id: string): boolean => {
  const hold = state.holds.get(id);
  return hold?.status === 'pinned' || (hold?.status === 'pending' && hold.until > now);
};

/**
 * What runs beside the actor: Postgres, where pieces are received and sold, and sellers who sell what they have pinned.
 * A seller may read a level that is no longer the newest, and tell of the sale late or twice.
 */
const run = (
  steps: readonly (typeof someStep extends fc.Arbitrary<infer S> ? S : never)[],
  stale: readonly number[],
) => {
  const actor = new Actor();
  const levels: StockLevel[] = [level(6, 1, 10)];
  const pinned = new Map<string, number>();
  const sold = new Set<string>();
  /** Sold, and their commit is still to come; an intent's may have ended by then. */
  const untold = new Map<string, number>();
  let missed = 0;
  const quantities = new Map<string, number>();
  const seen = new Map<string, string>();
  const current = (): StockLevel => levels.at(-1)!;
  const move = (pieces: number): void => {
    const { onHand, version, allocated } = current();
    levels.push({ onHand: onHand + pieces, version: version + 1, allocated: allocated + Math.max(0, -pieces) });
  };
  let generation = 0;
  const nameOf = (id: string): string => `${id}${Math.floor(generation / 40)}`;
  for (const [at, step] of steps.entries()) {
    generation++;
    const behind = stale[at % stale.length] ?? 0;
    const read = levels[Math.max(0, levels.length - 1 - behind)]!;
    if (step.do === 'wait') actor.now += step.ms;
    else if (step.do === 'receive') move(step.pieces);
    else if (step.do === 'due') actor.ok({ type: 'Due' });
    else {
      const id = nameOf(step.id);
      let answer: StockAnswer | Refusal | null = null;
      if (step.do === 'hold') {
        answer = actor.hold(id, step.quantity, read, step.forMs);
        if (!(answer instanceof Refusal) && answer.hold) quantities.set(id, answer.hold.quantity);
      } else if (step.do === 'pin') {
        answer = actor.tell({ type: 'Pin', hold: id });
        if (statusOf(answer) === 'pinned') pinned.set(id, quantities.get(id)!);
      } else if (step.do === 'release') {
        // A seller has decided; it does not release.
        if (!sold.has(id)) {
          answer = actor.tell({ type: 'Release', hold: id });
          pinned.delete(id);
        }
      } else if (step.do === 'sell') {
        const live = actor.state.holds.get(id);
        // A checkout intent's hold is not pinned.
        const intended = live?.status === 'pending' && live.until > actor.now ? live.quantity : undefined;
        const quantity = pinned.get(id) ?? intended;
        if (quantity !== undefined && !sold.has(id) && (missed === 0 || quantity <= current().onHand)) {
          sold.add(id);
          untold.set(id, quantity);
          move(-quantity);
        }
      } else if (sold.has(id)) {
        answer = actor.tell({ type: 'Commit', holds: [id], level: current() });
        untold.delete(id);
      }
      const status = answer && !(answer instanceof Refusal) ? answer.hold?.status : undefined;
      const before = seen.get(id);
      if (status) {
        if (before && ENDS.includes(before)) expect(status).toBe(before);
        seen.set(id, status);
      }
    }
    // Oversold would be: Postgres refuses to sell what was pinned.
    expect(current().onHand).toBeGreaterThanOrEqual(0);
    for (const [id, quantity] of untold)
      if (!isLive(actor, id)) {
        untold.delete(id);
        missed += quantity;
      }
    // Who asks about the newest level is told all that is free, and no more.
    const undecided = actor.state.holds
      .all()
      .filter(({ id, status, until }) =>
        status === 'pinned' ? !sold.has(id) : status === 'pending' && until > actor.now && !sold.has(id),
      )
      .reduce((sum, { quantity }) => sum + quantity, 0);
    const { available } = actor.ok({ type: 'Look', level: current() });
    const free = Math.max(0, current().onHand - undecided);
    if (missed === 0) expect(available).toBe(free);
    expect(available).toBeLessThanOrEqual(free + missed);
    expect(actor.state.pending).toBeGreaterThanOrEqual(0);
    expect(actor.state.pinned).toBeGreaterThanOrEqual(0);
  }
  return { actor, levels, sold };
};

describe('whatever comes', () => {
  test('a hold that tries share is held as long as one of them has not let go of it', () => {
    const someOwner = fc.constantFrom('x', 'y', 'z');
    const someMove = fc.record({ owner: someOwner, takes: fc.boolean(), pins: fc.boolean(), reads: fc.boolean() });
    fc.assert(
      fc.property(fc.array(someMove, { minLength: 1, maxLength: 40 }), (moves) => {
        const actor = new Actor();
        const having = new Set<string>();
        let over = false;
        for (const { owner, takes, pins, reads } of moves) {
          if (reads) actor.state = readStock(writeStock(actor.state));
          const hold = { type: 'Hold', hold: 'a', quantity: 2, level: level(3), expiresAt: 9, pins, owner } as const;
          const answer = actor.tell(takes ? hold : { type: 'Release', hold: 'a', owner });
          expect(answer instanceof Refusal).toBe(takes && over);
          if (takes && !over) having.add(owner);
          // What is let go before it came is over, too.
          else if (having.delete(owner) || having.size === 0) over ||= having.size === 0;
          expect(actor.look().held).toBe(having.size > 0 ? 2 : 0);
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

  test('what is counted as held is what the holds come to', () => {
    fc.assert(
      fc.property(fc.array(someStep, { minLength: 1, maxLength: 120 }), (steps) => {
        const { actor } = run(steps, [0]);
        const holds = actor.state.holds.all();
        const live = holds.filter(({ status }) => !ENDS.includes(status));
        const held = live
          .filter(({ status, until }) => status === 'pinned' || until > actor.now)
          .reduce((sum, { quantity }) => sum + quantity, 0);
        expect(actor.look().held).toBe(held);
        const { expiries, doubts, endings } = actor.state;
        const sum = (cohorts: typeof expiries): number => cohorts.reduce((total, [, amount]) => total + amount, 0);
        expect(sum(expiries)).toBe(actor.state.pending);
        expect(sum(doubts)).toBe(live.filter(({ status }) => status === 'pinned').length);
        expect(sum(endings)).toBe(holds.length - live.length);
      }),
      { numRuns: 300 },
    );
  });
});
