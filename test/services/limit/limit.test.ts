// The owner's side of a limit: grants are debited, become single near the limit, and never exceed it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decideLimit,
  evolveLimit,
  type LimitAnswer,
  type LimitState,
  NO_LIMIT,
  type Take,
} from '#services/limit/limit.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const START = NOON / 1_000;
const HOUR_MS = 3_600_000;

/** An owner with a settable clock. */
class Owner {
  state: LimitState = NO_LIMIT;
  now = NOON;
  facts = 0;

  ask(take: Partial<Take> & { edge: string }): LimitAnswer {
    const whole: Take = {
      type: 'Take',
      scope: 'key_hour',
      sequence: 1,
      limit: 100,
      need: 0,
      want: 0,
      start: START,
      spent: 0,
      held: 0,
      now: this.now,
      ...take,
    };
    const decision = decideLimit(this.state, whole, { now: this.now });
    for (const fact of decision.facts) {
      this.facts++;
      this.state = JSON.parse(JSON.stringify(evolveLimit(this.state, fact)));
    }
    return decision.answer;
  }

  get spent(): number {
    return decideLimit(this.state, { type: 'Read', scope: 'key_hour' }, { now: this.now }).answer.spent;
  }
}

describe('a grant', () => {
  test('meets an edge’s request up to an eighth of the rest', () => {
    const owner = new Owner();
    expect(owner.ask({ edge: 'a', need: 1, want: 5 })).toMatchObject({ granted: 5, left: 95 });
    expect(owner.ask({ edge: 'b', need: 1, want: 50 })).toMatchObject({ granted: 11, left: 84 });
  });

  test('near the limit serves waiting requests alone, down to the last token', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', need: 98 });
    expect(owner.ask({ edge: 'b', need: 1, want: 50 })).toMatchObject({ granted: 1, left: 1 });
    expect(owner.ask({ edge: 'c', want: 50 })).toMatchObject({ granted: 0, left: 1 });
    expect(owner.ask({ edge: 'c', sequence: 2, need: 3, want: 50 })).toMatchObject({ granted: 1, left: 0 });
    expect(owner.ask({ edge: 'd', need: 1 })).toMatchObject({ granted: 0, left: 0, outstanding: 100 });
  });

  test('returns tokens that a report no longer lists', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', need: 100 });
    expect(owner.ask({ edge: 'a', sequence: 2, spent: 30, held: 0 })).toMatchObject({ granted: 0, left: 70 });
    expect(owner.ask({ edge: 'b', need: 70 })).toMatchObject({ granted: 70, left: 0, outstanding: 0 });
  });

  test('ignores a question older than the last one', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', sequence: 5, need: 10 });
    expect(owner.ask({ edge: 'a', sequence: 4, need: 90 })).toMatchObject({ granted: 0 });
    expect(owner.ask({ edge: 'b', need: 90 })).toMatchObject({ granted: 90 });
  });

  test('corrects a lost answer with the next question', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', sequence: 1, need: 60 });
    expect(owner.ask({ edge: 'a', sequence: 2, need: 60 })).toMatchObject({ granted: 60, left: 40 });
  });

  test('counts what passed while the owner was away', () => {
    const owner = new Owner();
    expect(owner.ask({ edge: 'a', spent: 120, need: 1 })).toMatchObject({ granted: 0, left: 0 });
    expect(owner.spent).toBe(120);
  });

  test('under another limit follows that one', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', need: 50 });
    expect(owner.ask({ edge: 'a', sequence: 2, spent: 50, limit: 40, need: 1 })).toMatchObject({ granted: 0, left: 0 });
    expect(owner.ask({ edge: 'a', sequence: 3, spent: 50, limit: 60, need: 1 })).toMatchObject({ granted: 1, left: 9 });
  });

  test('counts every request where no limit applies', () => {
    const owner = new Owner();
    expect(owner.ask({ edge: 'a', limit: 0, spent: 1_000_000, need: 1, want: 9 })).toMatchObject({
      granted: 0,
      left: 0,
    });
    expect(owner.spent).toBe(1_000_000);
  });

  test('writes no record where no state changes', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a' });
    expect(owner.facts).toBe(0);
    owner.ask({ edge: 'a', need: 5 });
    owner.ask({ edge: 'a', sequence: 2, spent: 2, held: 3 });
    owner.ask({ edge: 'a', sequence: 3, spent: 2, held: 3 });
    expect(owner.facts).toBe(2);
  });
});

describe('a window', () => {
  test('begins without taken tokens and ignores reports on the last one', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', need: 100 });
    owner.now += HOUR_MS;
    const answer = owner.ask({ edge: 'a', sequence: 2, spent: 90, held: 10, need: 1 });
    expect(answer).toMatchObject({ start: START + 3_600, end: START + 7_200, granted: 1, left: 99 });
    expect(owner.spent).toBe(0);
  });

  test('opens for an edge whose clock is slightly ahead, not for a wrong clock', () => {
    const owner = new Owner();
    owner.now = NOON + HOUR_MS - 1_000;
    expect(owner.ask({ edge: 'a', need: 1, now: owner.now + HOUR_MS }).start).toBe(START + 3_600);
    owner.now = NOON + 10_000;
    const other = new Owner();
    other.now = owner.now;
    expect(other.ask({ edge: 'a', need: 1, now: other.now + HOUR_MS }).start).toBe(START);
  });

  test('never returns to an earlier one', () => {
    const owner = new Owner();
    owner.ask({ edge: 'a', need: 1 });
    owner.now -= 5_000;
    expect(owner.ask({ edge: 'b', need: 1 }).start).toBe(START);
  });
});

test('evicted edges still count', () => {
  const owner = new Owner();
  for (let edge = 0; edge < 300; edge++) owner.ask({ edge: `e${edge}`, limit: 1_000, need: 2, spent: 1 });
  expect(Object.keys(owner.state.edges)).toHaveLength(256);
  expect(owner.spent).toBe(300);
  expect(owner.ask({ edge: 'last', limit: 1_000, need: 1_000 })).toMatchObject({ granted: 100, left: 0 });
});

/** An edge that loses questions and answers, and sometimes dies. */
class Edge {
  readonly name: string;
  sequence = 0;
  spent = 0;
  held = 0;
  constructor(name: string) {
    this.name = name;
  }
}

type Step =
  | {
      readonly kind: 'ask';
      readonly edge: number;
      readonly need: number;
      readonly want: number;
      readonly lost: boolean;
    }
  | { readonly kind: 'spend'; readonly edge: number; readonly count: number }
  | { readonly kind: 'refund'; readonly edge: number }
  | { readonly kind: 'return'; readonly edge: number }
  | { readonly kind: 'crash'; readonly edge: number }
  | { readonly kind: 'late'; readonly edge: number };

const edge = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('ask' as const),
    edge,
    need: fc.nat(5),
    want: fc.nat(40),
    lost: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('spend' as const), edge, count: fc.nat(30) }),
  fc.record({ kind: fc.constant('refund' as const), edge }),
  fc.record({ kind: fc.constant('return' as const), edge }),
  fc.record({ kind: fc.constant('crash' as const), edge }),
  fc.record({ kind: fc.constant('late' as const), edge }),
);

test('losses, delays and crashes admit at most the limit; runs without a crash admit exactly that many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
      const owner = new Owner();
      const edges = [new Edge('a'), new Edge('b'), new Edge('c')];
      const late: Take[] = [];
      let passed = 0;
      let crashed = 0;
      const ask = (from: Edge, need: number, want: number, lost: boolean): void => {
        const take = {
          type: 'Take' as const,
          scope: 'key_hour' as const,
          edge: from.name,
          sequence: ++from.sequence,
          limit,
          need,
          want,
          start: START,
          spent: from.spent,
          held: from.held,
          now: NOON,
        };
        late.push(take);
        const { granted } = owner.ask(take);
        if (!lost) from.held += granted;
      };
      for (const taken of steps) {
        const from = edges[taken.edge] as Edge;
        if (taken.kind === 'ask') ask(from, taken.need, taken.want, taken.lost);
        else if (taken.kind === 'spend') {
          const count = Math.min(taken.count, from.held);
          from.held -= count;
          from.spent += count;
          passed += count;
        } else if (taken.kind === 'refund' && from.spent > 0) {
          from.spent--;
          from.held++;
          passed--;
        } else if (taken.kind === 'return') {
          from.held = 0;
          ask(from, 0, 0, false);
        } else if (taken.kind === 'crash') {
          edges[taken.edge] = new Edge(`${from.name}${++crashed}`);
        } else if (taken.kind === 'late') {
          const [again] = late.filter(({ edge: name }) => name === from.name);
          if (again) owner.ask(again);
        }
        expect(passed).toBeLessThanOrEqual(limit);
      }
      for (const from of edges) {
        from.held = 0;
        ask(from, 0, 0, false);
      }
      const [last] = edges as [Edge];
      ask(last, limit, 0, false);
      passed += last.held;
      expect(passed).toBeLessThanOrEqual(limit);
      if (crashed === 0) expect(passed).toBe(limit);
    }),
  );
});
