// Trims the journal in one cut for all partitions, never past what Postgres has.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Journal, natsJournal } from '#runtime/actor/journal.ts';
import { JournalTrim } from '#runtime/actor/journal_trim.ts';
import { Layout } from '#runtime/actor/layout.ts';
import { postgresSnapshots } from '#runtime/actor/snapshot.ts';
import { systemTimers } from '#runtime/process/clock.ts';
import { eventually, testLog } from '#test/support/server.ts';
import { type ActorTestHost, openActorTestHost, type Stage } from './actor_test_host.ts';

const PARTITIONS = 2;

let testHost: ActorTestHost;
let stage: Stage;
beforeAll(async () => {
  testHost = await openActorTestHost();
  stage = await testHost.open({ partitions: PARTITIONS });
});
afterAll(() => testHost?.close());

/** With the partitions that this host is said to have. */
const openTrim = (journal: Journal, numbers: readonly number[], proved: number[] = []): JournalTrim =>
  new JournalTrim({
    journal,
    snapshots: postgresSnapshots(testHost.postgres),
    timers: systemTimers,
    log: testLog(),
    layout: { current: new Layout({ epoch: 0, partitions: PARTITIONS, previous: null, sealed: [] }) },
    held: () => numbers.map((number) => ({ number, prove: () => proved.push(number) })),
  });

const ends = (): Promise<number[]> =>
  eventually(async () => {
    const journal = natsJournal(stage.bus, testHost.namespace, 1);
    const positions = await postgresSnapshots(testHost.postgres).positions();
    const sequences = await Promise.all(
      Array.from({ length: PARTITIONS }, async (_, at) => (await journal.last(at))?.sequence ?? 0),
    );
    expect(Array.from(sequences, (_, at) => positions.get(at)?.sequence)).toEqual(sequences);
    return sequences;
  });

test('a cut before the first batch takes nothing', async () => {
  const journal = natsJournal(stage.bus, testHost.namespace, 1);
  for (const before of [0, 1, 2]) await journal.trim(before);
  const head = await journal.head();
  expect(head).toBeGreaterThanOrEqual(PARTITIONS);
  for (let sequence = 2; sequence <= head; sequence++) expect(await journal.at(0, sequence)).not.toBeNull();
});

test('trims what all partitions have in Postgres, and keeps the end of each log', async () => {
  const journal = natsJournal(stage.bus, testHost.namespace, 1);
  for (const ticket of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) await stage.tell(ticket, { do: 'add', count: 1 });
  const [first = 0, head = 0] = (await ends()).toSorted((a, b) => a - b);
  await openTrim(journal, [0]).trim();
  expect(await journal.at(0, first - 1)).toBeNull();
  for (let sequence = first; sequence <= head; sequence++) expect(await journal.at(0, sequence)).not.toBeNull();
  await stage.kill();
  stage = await testHost.open({ partitions: PARTITIONS });
  for (const ticket of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    expect(await stage.tell(ticket, { do: 'add', count: 1 })).toMatchObject({ free: 2 });
});

test('one host cuts for all, a partition far behind writes a batch, and a journal that was made anew is whole', async () => {
  const cuts: number[] = [];
  const journalAt = (head: number): Journal => ({
    ...natsJournal(stage.bus, testHost.namespace, 1),
    head: async () => head,
    trim: async (before) => void cuts.push(before),
  });
  const sequences = await ends();
  const [first = 0, last = 0] = sequences.toSorted((a, b) => a - b);
  const behind = sequences.indexOf(first);
  const proved: number[] = [];
  await openTrim(journalAt(first + 500), [1], proved).trim();
  expect([cuts, proved]).toEqual([[], []]);
  await openTrim(journalAt(first + 501), [behind], proved).trim();
  expect(proved).toEqual([behind]);
  await openTrim(journalAt(last - 1), [0]).trim();
  expect(cuts).toEqual(behind === 0 ? [first] : []);
  await openTrim(journalAt(last), [0]).trim();
  expect(cuts.at(-1)).toBe(first);
});
