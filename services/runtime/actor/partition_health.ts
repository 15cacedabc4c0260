// Derives health and metrics from a host's partitions.
import type { Layout } from './layout.ts';
import type { ActorCount, OwnedPartitions } from './measure.ts';
import type { Partition } from './partition.ts';
import type { HealthIssue } from './placement.ts';

/**
 * Age of unprojected records beyond which the projection counts as stalled; normally they are written within a second.
 */
const STALLED_MS = 10_000;

export const healthIssuesOf = (owned: readonly Partition[]): readonly HealthIssue[] => {
  const issues: HealthIssue[] = [];
  if (owned.some(({ lostData }) => lostData)) issues.push('actor_log');
  if (owned.some(({ ageMs }) => ageMs >= STALLED_MS)) issues.push('projection');
  return issues;
};

export const ownedPartitionsOf = (owned: readonly Partition[], { retiring }: Layout): OwnedPartitions => {
  const serving = owned.filter((partition) => partition.serving).length;
  const unwritten = owned.reduce((sum, partition) => sum + partition.unwritten, 0);
  const agesMs = new Map(owned.map(({ number, ageMs }) => [number, ageMs]));
  return { serving, recovering: owned.length - serving, retiring: retiring.length, unwritten, agesMs };
};

export const actorCountsOf = (owned: readonly Partition[]): ReadonlyMap<string, ActorCount> => {
  const sum = new Map<string, ActorCount>();
  for (const partition of owned)
    for (const [kind, { waiting, loaded }] of partition.counts()) {
      const before = sum.get(kind) ?? { waiting: 0, loaded: 0 };
      sum.set(kind, { waiting: before.waiting + waiting, loaded: before.loaded + loaded });
    }
  return sum;
};
