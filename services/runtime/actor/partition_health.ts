// The health of a host's partitions: what is wrong with them, and what measures say of them.
import type { Layout } from './layout.ts';
import type { ActorCount, PartitionsHeld } from './measure.ts';
import type { Partition } from './partition.ts';
import type { HealthIssue } from './placement.ts';

/** A projection that has not written for so long stands still: as a rule it writes within a second. */
const STILL_MS = 10_000;

export const ailmentsOf = (owned: readonly Partition[]): readonly HealthIssue[] => {
  const ailments: HealthIssue[] = [];
  if (owned.some(({ lossy }) => lossy)) ailments.push('actor_log');
  if (owned.some(({ ageMs }) => ageMs >= STILL_MS)) ailments.push('projection');
  return ailments;
};

export const holdingOf = (owned: readonly Partition[], { retiring }: Layout): PartitionsHeld => {
  const serving = owned.filter((partition) => partition.serving).length;
  const unwritten = owned.reduce((sum, partition) => sum + partition.unwritten, 0);
  const ages = new Map(owned.map(({ number, ageMs }) => [number, ageMs]));
  return { serving, recovering: owned.length - serving, retiring: retiring.length, unwritten, ages };
};

export const countsOf = (owned: readonly Partition[]): ReadonlyMap<string, ActorCount> => {
  const sum = new Map<string, ActorCount>();
  for (const partition of owned)
    for (const [kind, { waiting, awake }] of partition.census()) {
      const before = sum.get(kind) ?? { waiting: 0, awake: 0 };
      sum.set(kind, { waiting: before.waiting + waiting, awake: before.awake + awake });
    }
  return sum;
};
