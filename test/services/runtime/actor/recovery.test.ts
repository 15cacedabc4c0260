// An owner before logs that nobody wrote down: longer ones than a host that works ever leaves behind.
import { describe, expect, test } from 'vitest';
import { Kinds } from '#runtime/actor/address.ts';
import { type Append, type Journal, Pen } from '#runtime/actor/journal.ts';
import type { ActorKind } from '#runtime/actor/kind.ts';
import { Projector } from '#runtime/actor/projection.ts';
import { writeActor, writeBatch, writeRecord } from '#runtime/actor/record.ts';
import { recover } from '#runtime/actor/recovery.ts';
import type { Position, Snapshots } from '#runtime/actor/snapshot.ts';
import { systemTimers } from '#runtime/actor/timer.ts';
import type { Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import { testLog } from '#test/support/server.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
const RECORDS = 50_000;
const BATCH_RECORDS = 250;

const TALLY: ActorKind<number, null, number, null> = {
  name: 'tally',
  initial: 0,
  decide: () => ({ facts: [], answer: null }),
  evolve: (sum, fact) => sum + fact,
  dueAt: () => null,
  due: null,
  over: () => false,
};

/** The log of so many actors, each told in its turn. */
const logOf = (actors: number): Uint8Array[] =>
  Array.from({ length: RECORDS / BATCH_RECORDS }, (_, batch) => {
    const ids = Array.from({ length: BATCH_RECORDS }, (_, at) => `t${(batch * BATCH_RECORDS + at) % actors}`);
    const named = [...new Set(ids)];
    const records = ids.map((id) =>
      writeRecord({ actor: named.indexOf(id), commandId: '', now: 0, facts: [1], kept: null }),
    );
    const written = named.map((id) => writeActor({ kind: 'tally', ...TENANT, id }));
    return writeBatch(batch + 1, 'earlier', written, records);
  });

const journalOf = (messages: Uint8Array[]): Journal => ({
  append: async (_, { bytes }: Append) => ({ sequence: messages.push(bytes), duplicate: false }),
  last: async () => ({ sequence: messages.length, bytes: messages.at(-1)! }),
  at: async (_, sequence) => ({ sequence, bytes: messages[sequence - 1]! }),
  read: async function* (_, from, to) {
    for (let sequence = from; sequence <= to; sequence++) yield { sequence, bytes: messages[sequence - 1]! };
  },
  trim: async () => {},
  head: async () => messages.length,
});

/** A database that keeps what it is told. */
class Kept {
  readonly states = new Map<string, string>();
  readonly written: Position[] = [];
  position: Position = { batch: 0, sequence: 0 };
  loads = 0;

  readonly snapshots = {
    position: async () => this.position,
    load: async (actors) => {
      this.loads++;
      return actors.map(({ key }) => this.states.get(key) ?? null);
    },
    project: async (_, { from, to, actors }) => {
      if (from.batch !== this.position.batch) return false;
      for (const { address, state } of actors) this.states.set(address.key, state!);
      this.position = to;
      this.written.push(to);
      return true;
    },
  } as Partial<Snapshots> as Snapshots;
}

const recovered = (messages: Uint8Array[], { snapshots }: Kept) => {
  const kinds = new Kinds();
  kinds.register(TALLY);
  const shared = { partition: 0, journal: journalOf(messages), snapshots, log: testLog() };
  return recover({
    ...shared,
    kinds,
    nonce: () => 'own',
    projector: (position) => new Projector({ ...shared, timers: systemTimers, lost: () => {} }, position),
    pen: new Pen(shared.journal, 0, systemTimers),
    doubt: () => {},
  });
};

const keyOf = (actor: number): string => `tally/${TENANT.store}/${TENANT.environment}/t${actor}`;

describe('a log of fifty thousand records', () => {
  test('of one actor is a row, which nobody waits for', async () => {
    const kept = new Kept();
    const { cells, number, projector } = await recovered(logOf(1), kept);
    expect(cells.get(keyOf(0))?.durable).toBe(RECORDS);
    expect(number).toBe(RECORDS / BATCH_RECORDS + 1);
    expect(kept.written).toEqual([]);
    await projector.drain();
    expect(kept.states.get(keyOf(0))).toBe(String(RECORDS));
  });

  test('of many actors is written down while it is read, and whoever comes again is as he was', async () => {
    const kept = new Kept();
    const actors = 24_000;
    const { projector, cells } = await recovered(logOf(actors), kept);
    expect(kept.written.length).toBeGreaterThan(0);
    expect(cells.size).toBeLessThan(actors);
    await projector.drain();
    expect(kept.states.size).toBe(actors);
    for (const actor of [0, 1_999, 2_000, 23_999])
      expect(kept.states.get(keyOf(actor))).toBe(String(Math.ceil((RECORDS - actor) / actors)));
  });

  test('is read anew where another owner wrote down some of it meanwhile', async () => {
    const kept = new Kept();
    const messages = logOf(1);
    const { load } = kept.snapshots;
    kept.snapshots.load = async (actors) => {
      const states = await load(actors);
      kept.position = { batch: 100, sequence: 100 };
      return states;
    };
    await expect(recovered(messages, kept)).rejects.toThrow(Unavailable);
    expect(messages).toHaveLength(RECORDS / BATCH_RECORDS);
  });
});
