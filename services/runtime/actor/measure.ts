// What the actor host measures, a kind of actor at a time.
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

/** Commands that wait in mailboxes and actors in memory, by kind: asked on demand. */
export interface ActorCount {
  readonly waiting: number;
  readonly awake: number;
}

const censuses = new Set<() => ReadonlyMap<string, ActorCount>>();

const census = (name: string, help: string, read: (census: ActorCount) => number): void => {
  new Gauge({
    name: `stoa_${name}`,
    help,
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset();
      for (const take of censuses) for (const [kind, counted] of take()) this.inc({ kind }, read(counted));
    },
  });
};
census('actor_mailbox', 'Commands that wait in mailboxes.', ({ waiting }) => waiting);
census('actor_awake', 'Actors in memory.', ({ awake }) => awake);

/** Returns how to stop. */
export const takeCensus = (take: () => ReadonlyMap<string, ActorCount>): (() => void) => {
  censuses.add(take);
  return () => censuses.delete(take);
};

/** What a host owns now. */
export interface PartitionsHeld {
  readonly serving: number;
  /** Owned, but told nothing yet. */
  readonly recovering: number;
  /** Of all that there are, how many are of the layout before. */
  readonly retiring: number;
  /** Records in the journal that are not in Postgres yet. */
  readonly unwritten: number;
  /** By partition: for how long, in ms, its oldest record waits that is not in Postgres. */
  readonly ages: ReadonlyMap<number, number>;
}

const holdings = new Set<() => PartitionsHeld>();
const holding = (read: (held: PartitionsHeld) => number): number => {
  let sum = 0;
  for (const take of holdings) sum += read(take());
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
      holding(({ serving }) => serving),
    );
    this.set(
      { state: 'recovering' },
      holding(({ recovering }) => recovering),
    );
  },
});
gauge(
  'actor_retiring_partitions',
  'Partitions of the layout before that still take writes, as far as this host knows.',
  () => holding(({ retiring }) => retiring),
);
gauge('actor_unwritten', 'Records in the journal that are not in Postgres yet.', () =>
  holding(({ unwritten }) => unwritten),
);

new Gauge({
  name: 'stoa_projection_age_seconds',
  help: 'For how long the oldest record of a partition waits that is in the journal and not in Postgres.',
  labelNames: ['partition'],
  registers: [registry],
  collect() {
    this.reset();
    for (const take of holdings)
      for (const [partition, ms] of take().ages) this.set({ partition: String(partition) }, ms / 1_000);
  },
});

/** Returns how to stop. */
export const takeHolding = (take: () => PartitionsHeld): (() => void) => {
  holdings.add(take);
  return () => holdings.delete(take);
};

/** By kind: how many commands came to an answer, how many were kept. */
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
  woke(kind: string): void {
    wakes.inc({ kind });
  },
  lost(kind: string): void {
    lostFences.inc({ kind });
  },
  gap(): void {
    gaps.inc();
  },
};
