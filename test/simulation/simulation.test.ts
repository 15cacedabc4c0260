// Histories in which everything fails: none may break a promise. `SEED=7 vitest run test/simulation` replays one.
import { describe, expect, test } from 'vitest';
import { simulate } from './simulation.ts';
import { Violation } from './verdict.ts';
import { Runaway, World } from './world.ts';

const seeds = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);
/** That broke a promise once. */
const FOUND = [1_795_737_575];
/** A short form: `npm run simulate` takes as many as there is time for. */
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : [...seeds(16), ...FOUND];
const FENCE_SEEDS = seeds(8);

const broken = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));

/** Broken promises by seed. */
const failures = async (seeds: readonly number[], faults = {}): Promise<Record<number, string>> => {
  const failed: Record<number, string> = {};
  for (const seed of seeds)
    await simulate({ seed, faults }).catch((problem: unknown) => {
      failed[seed] = broken(problem);
    });
  return failed;
};

describe('a history', () => {
  test('keeps every promise, whatever fails', { timeout: 120_000 }, async () => {
    expect(await failures(SEEDS)).toEqual({});
  });

  test('repeats a history of the same seed', async () => {
    const run = async (): Promise<string[]> => {
      const lines: string[] = [];
      await simulate({ seed: 3, durationMs: 5_000, trace: (line) => lines.push(line) });
      return lines;
    };
    const first = await run();
    expect(first.length).toBeGreaterThan(100);
    expect(await run()).toEqual(first);
  });

  test('covers acknowledged, refused and unknown writes, crashes of hosts, and changed logs', async () => {
    const outcomes = new Set<string>();
    let [kills, changes] = [0, 0];
    for (const seed of FENCE_SEEDS.slice(0, 4)) {
      const history = await simulate({ seed });
      for (const { outcome } of history.asked) outcomes.add(outcome);
      kills += history.kills;
      changes += history.changes;
    }
    expect([...outcomes].sort()).toEqual(['answered', 'refused', 'unavailable', 'unknown']);
    expect(kills).toBeGreaterThan(0);
    expect(changes).toBeGreaterThan(0);
  });
});

describe('a broker whose sequences fence no owner', () => {
  test('forks a log whose batches carry no ids', { timeout: 120_000 }, async () => {
    const outcomes = await Promise.all(
      FENCE_SEEDS.map((seed) =>
        simulate({ seed, faults: { fenceFault: true, ids: false } }).then(
          () => null,
          (problem: unknown) => problem,
        ),
      ),
    );
    const violations = outcomes.filter((outcome) => outcome instanceof Violation);
    // A host that recovers may be the first to see it: a batch that has the number of another follows upon nothing.
    expect(violations.map(broken).join()).toMatch(
      /has batch \d+ after|had its effect 2 times|acknowledged and is lost|lost a part of this log/,
    );
  });

  test('forks none whose batches do', { timeout: 120_000 }, async () => {
    expect(await failures(FENCE_SEEDS, { fenceFault: true })).toEqual({});
  });
});

describe('a history that would never end', () => {
  /** Each step is followed by so many more, at once. */
  const grow = (world: World, steps: number): void => {
    for (let at = 0; at < steps; at++) world.after(0, null, () => grow(world, steps));
  };

  test('or that no memory would hold, ends with its seed', async () => {
    const world = new World(7);
    grow(world, 1_000);
    const ended = world.run(1_000);
    await expect(ended).rejects.toBeInstanceOf(Runaway);
    await expect(ended).rejects.toThrow('seed 7');
  });
});
