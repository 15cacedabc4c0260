// An owner before logs that nobody wrote down: short ones, and longer ones than a host that works ever leaves behind.
import { describe, expect, test, vi } from 'vitest';
import { type Address, Kinds } from '#runtime/actor/address.ts';
import { Cell } from '#runtime/actor/cell.ts';
import { type Append, type Journal, Pen } from '#runtime/actor/journal.ts';
import type { ActorKind } from '#runtime/actor/kind.ts';
import { Projector } from '#runtime/actor/projection.ts';
import { writeActor, writeBatch, writeRecord } from '#runtime/actor/record.ts';
import { recover } from '#runtime/actor/recovery.ts';
import type { Position, Snapshots } from '#runtime/actor/snapshot.ts';
import { systemTimers } from '#runtime/actor/timer.ts';
import type { Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import { anyEvent } from '#test/support/event.ts';
import { testLog } from '#test/support/server.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
const RECORDS = 450_000;
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
const logOf = (actors: number, records = RECORDS): Uint8Array[] =>
  Array.from({ length: records / BATCH_RECORDS }, (_, batch) => {
    const ids = Array.from({ length: BATCH_RECORDS }, (_, at) => `t${(batch * BATCH_RECORDS + at) % actors}`);
    const named = [...new Set(ids)];
    const lines = ids.map((id) =>
      writeRecord({ actor: named.indexOf(id), commandId: '', now: 0, facts: [1], kept: null }),
    );
    const written = named.map((id) => writeActor({ kind: 'tally', ...TENANT, id }));
    return writeBatch(batch + 1, 'earlier', written, lines);
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
  readonly events: string[] = [];
  position: Position = { batch: 0, sequence: 0 };
  loads = 0;

  readonly snapshots = {
    position: async () => this.position,
    load: async (actors) => {
      this.loads++;
      return actors.map(({ key }) => this.states.get(key) ?? null);
    },
    project: async (_, { from, to, actors, events }) => {
      if (from.batch !== this.position.batch) return false;
      for (const { event } of events) this.events.push(event.type);
      for (const { address, state } of actors) this.states.set(address.key, state!);
      this.position = to;
      this.written.push(to);
      return true;
    },
  } as Partial<Snapshots> as Snapshots;
}

const recovered = async (messages: Uint8Array[], { snapshots }: Kept, kind = TALLY) => {
  const kinds = new Kinds();
  kinds.register(kind);
  const shared = { partition: 0, journal: journalOf(messages), snapshots, log: testLog(), timers: systemTimers };
  const lost = vi.fn();
  const found = await recover({
    ...shared,
    kinds,
    nonce: () => 'own',
    projector: (position) => new Projector({ ...shared, lost }, position),
    pen: new Pen(shared.journal, 0, systemTimers),
    doubt: () => {},
  });
  return { ...found, lost };
};

const keyOf = (actor: number): string => `tally/${TENANT.store}/${TENANT.environment}/t${actor}`;

const addressOf = (actor: number, kind = TALLY): Address => ({
  kind,
  tenant: TENANT,
  id: `t${actor}`,
  key: keyOf(actor),
});

describe('a log of nearly half a million records', () => {
  test('of one actor is a row', async () => {
    const kept = new Kept();
    const { number, projector } = await recovered(logOf(1), kept);
    expect(number).toBe(RECORDS / BATCH_RECORDS + 1);
    await projector.drain();
    expect(kept.states.get(keyOf(0))).toBe(String(RECORDS));
  });

  test('of many actors is written down while it is read, and whoever comes again is as he was', async () => {
    const kept = new Kept();
    const actors = 24_000;
    const { projector, tail } = await recovered(logOf(actors), kept);
    expect(kept.written).toHaveLength(1);
    expect(tail.cells.size).toBe(0);
    await projector.drain();
    expect(kept.states.size).toBe(actors);
    for (const actor of [0, 1_999, 2_000, 23_999])
      expect(kept.states.get(keyOf(actor))).toBe(String(Math.ceil((RECORDS - actor) / actors)));
  });
});

describe('a short log', () => {
  /** Says what it has come to. */
  const TELLING: typeof TALLY = {
    ...TALLY,
    announce: (sum, _, { id }) => [anyEvent(`${id} ${sum}`, {})],
  };
  const short = () => logOf(500, 750);

  test('is not taken in before somebody asks, and then by the actor asked alone', async () => {
    const kept = new Kept();
    const { tail } = await recovered(short(), kept);
    expect(kept.loads).toBe(0);
    expect(tail.has(addressOf(7))).toBe(true);
    await tail.wake(addressOf(7));
    const asked = tail.cells.get(keyOf(7));
    expect(asked).toMatchObject({ awake: true, state: 2, durable: 2, changedIn: 3 });
    expect([...tail.cells.values()]).toEqual([asked]);
    expect([7, 8, 500].map((actor) => tail.has(addressOf(actor)))).toEqual([false, true, false]);
  });

  test('follows upon the snapshots', async () => {
    const kept = new Kept();
    kept.states.set(keyOf(7), '40');
    const { tail } = await recovered(short(), kept);
    await Promise.all([tail.wake(addressOf(7)), tail.wake(addressOf(7))]);
    expect(tail.cells.get(keyOf(7))?.durable).toBe(42);
  });

  test.each([
    ['fact by fact', TALLY],
    ['all at once', { ...TALLY, evolveAll: (sum: number, facts: readonly number[]) => sum + 10 * facts.length }],
  ])('is taken in %s, and what was forgotten in it with all before counts for nothing', async (how, kind) => {
    const facts = [1, 1, null, 1, null, 1, 1, 1];
    const records = facts.map((fact) => writeRecord({ actor: 0, commandId: '', now: 0, facts: [fact], kept: null }));
    const kept = new Kept();
    kept.states.set(keyOf(0), '40');
    const named = [writeActor({ kind: 'tally', ...TENANT, id: 't0' })];
    const { tail } = await recovered([writeBatch(1, 'earlier', named, records)], kept, kind);
    await tail.wake(addressOf(0, kind));
    expect(tail.cells.get(keyOf(0))?.durable).toBe(how === 'all at once' ? 30 : 3);
  });

  test('is told of once and in its order, whoever was asked first', async () => {
    const kept = new Kept();
    const { tail, projector } = await recovered(short(), kept, TELLING);
    for (const actor of [300, 7, 499]) await tail.wake(addressOf(actor, TELLING));
    await projector.drain();
    const ids = Array.from({ length: 750 }, (_, at) => `t${at % 500} ${at < 500 ? 1 : 2}`);
    expect(kept.events).toEqual(ids);
    expect(kept.states.get(keyOf(7))).toBe('2');
  });

  test('is taken in by whoever is told something while all of it is read', async () => {
    const kept = new Kept();
    const { tail } = await recovered(short(), kept);
    const all = tail.wakeAll();
    const told = new Cell(addressOf(7));
    tail.cells.set(keyOf(7), told);
    const asked = tail.wake(addressOf(7));
    await all;
    expect(tail.cells.get(keyOf(7))).toBe(told);
    await asked;
    expect(told).toMatchObject({ awake: true, state: 2 });
  });

  test('is written down without whoever is still waking', async () => {
    const kept = new Kept();
    const { tail, projector } = await recovered(short(), kept);
    tail.cells.set(keyOf(900), new Cell(addressOf(900)));
    await projector.drain();
    expect(kept.states.size).toBe(500);
  });

  test('has no actor of whom nothing is known, as long as it is not taken in', async () => {
    const kept = new Kept();
    kept.states.set(keyOf(800), '1');
    const { projector } = await recovered(short(), kept);
    const { load } = kept.snapshots;
    const gate = Promise.withResolvers<void>();
    kept.snapshots.load = (actors) => gate.promise.then(() => load(actors));
    kept.snapshots.keys = async function* () {
      yield [keyOf(800)];
    };
    projector.begin();
    await Bun.sleep(50);
    const lacking = () => [7, 800, 900].map((actor) => projector.lacks(keyOf(actor)));
    expect(lacking()).toEqual([false, false, false]);
    gate.resolve();
    await projector.drain();
    expect(lacking()).toEqual([false, false, true]);
  });

  test('counts for nothing where another owner wrote down some of it meanwhile', async () => {
    const kept = new Kept();
    const { tail, projector, lost } = await recovered(short(), kept);
    kept.position = { batch: 2, sequence: 2 };
    await expect(tail.wake(addressOf(7))).rejects.toThrow(Unavailable);
    expect(tail.cells.size).toBe(0);
    expect(lost).toHaveBeenCalledOnce();
    expect(projector.stopped).toBe(true);
    expect(kept.written).toEqual([]);
  });

  test('waits for the database, and nothing of it is lost', async () => {
    const kept = new Kept();
    const { tail, projector } = await recovered(short(), kept, TELLING);
    const { load } = kept.snapshots;
    kept.snapshots.load = () => Promise.reject(new Unavailable('away'));
    await expect(tail.wake(addressOf(7))).rejects.toThrow('away');
    await expect(projector.drain()).rejects.toThrow('away');
    kept.snapshots.load = load;
    await projector.drain();
    expect(tail.cells.get(keyOf(7))?.durable).toBe(2);
    expect(kept.events).toHaveLength(750);
  });
});
