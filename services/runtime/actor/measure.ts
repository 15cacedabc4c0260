// Exports metrics of the actor host, by kind of actor.
import { Gauge, Histogram } from 'prom-client';
import { counter, gauge, latency, registry } from '#runtime/process/metric.ts';

const commands = counter('actor_commands_total', 'Commands settled.', ['kind', 'outcome']);
const wakes = counter('actor_wakes_total', 'Actors read from their snapshots.', ['kind']);
const lostFences = counter('actor_lost_fences_total', 'Commands whose facts another owner forestalled.', ['kind']);
const gaps = counter('actor_log_gaps_total', 'Times that a part of an actor log was missing or could not be read.');
const appendSeconds = latency('actor_append', 'Time of a batch in the journal.', ['kind']);
const batchRecords = new Histogram({
  name: 'stoa_actor_batch_records',
  help: 'Records of a kind in one batch.',
  labelNames: ['kind'],
  buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  registers: [registry],
});

export interface ActorCount {
  readonly waiting: number;
  readonly loaded: number;
}

const countSources = new Set<() => ReadonlyMap<string, ActorCount>>();

const actorGauge = (name: string, help: string, read: (count: ActorCount) => number): void => {
  new Gauge({
    name: `stoa_${name}`,
    help,
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const take of countSources) for (const [kind, counted] of take()) this.inc({ kind }, read(counted));
    },
  });
};
actorGauge('actor_mailbox', 'Commands that wait in mailboxes.', ({ waiting }) => waiting);
actorGauge('actor_awake', 'Actors in memory.', ({ loaded }) => loaded);

export const exportActorCounts = (take: () => ReadonlyMap<string, ActorCount>): (() => void) => {
  countSources.add(take);
  return () => countSources.delete(take);
};

export interface OwnedPartitions {
  readonly serving: number;
  readonly recovering: number;
  readonly retiring: number;
  readonly unwritten: number;
  readonly agesMs: ReadonlyMap<number, number>;
}

const partitionSources = new Set<() => OwnedPartitions>();
const sumPartitions = (read: (held: OwnedPartitions) => number): number => {
  let sum = 0;
  for (const take of partitionSources) sum += read(take());
  return sum;
};
new Gauge({
  name: 'stoa_actor_partitions',
  help: 'Partitions owned by this host; a recovering one answers no call.',
  labelNames: ['state'],
  registers: [registry],
  collect() {
    this.set(
      { state: 'serving' },
      sumPartitions(({ serving }) => serving),
    );
    this.set(
      { state: 'recovering' },
      sumPartitions(({ recovering }) => recovering),
    );
  },
});
gauge(
  'actor_retiring_partitions',
  'Partitions of the layout before that still take writes, as far as this host knows.',
  () => sumPartitions(({ retiring }) => retiring),
);
gauge('actor_unwritten', 'Records in the journal that are not in Postgres yet.', () =>
  sumPartitions(({ unwritten }) => unwritten),
);

new Gauge({
  name: 'stoa_projection_age_seconds',
  help: 'For how long the oldest record of a partition waits that is in the journal and not in Postgres.',
  labelNames: ['partition'],
  registers: [registry],
  collect() {
    this.reset();
    for (const take of partitionSources)
      for (const [partition, ms] of take().agesMs) this.set({ partition: String(partition) }, ms / 1_000);
  },
});

export const exportOwnedPartitions = (take: () => OwnedPartitions): (() => void) => {
  partitionSources.add(take);
  return () => partitionSources.delete(take);
};

export const measure = {
  batch(records: ReadonlyMap<string, number>, tookMs: number): void {
    for (const [kind, count] of records) {
      batchRecords.observe({ kind }, count);
      appendSeconds.labels(kind).observe(tookMs);
      commands.inc({ kind, outcome: 'written' }, count);
    }
  },
  shed(kind: string): void {
    commands.inc({ kind, outcome: 'shed' });
  },
  loaded(kind: string): void {
    wakes.inc({ kind });
  },
  lost(kind: string): void {
    lostFences.inc({ kind });
  },
  gap(): void {
    gaps.inc();
  },
};
