// An owner before logs that are not in Postgres yet: short ones, and longer ones than a host that works ever leaves behind.
import { describe, expect, test, vi } from 'vitest';
import { ActorInstance } from '#runtime/actor/actor_instance.ts';
import { type Address, Kinds } from '#runtime/actor/address.ts';
import type { Loss } from '#runtime/actor/data_loss.ts';
import { type BatchAppend, type Journal, LogWriter } from '#runtime/actor/journal.ts';
import { type StoredAnswer, writeActor, writeBatch, writeEnd, writeRecord } from '#runtime/actor/journal_record.ts';
import type { ActorKind } from '#runtime/actor/kind.ts';
import { Layout } from '#runtime/actor/layout.ts';
import { Projector } from '#runtime/actor/projection.ts';
import { recover } from '#runtime/actor/recovery.ts';
import type { LogPosition, Snapshots } from '#runtime/actor/snapshot.ts';
import type { JournalAudit, TenantAudit } from '#runtime/audit/command_audit.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { OutOfSequence } from '#runtime/nats/bus.ts';
import { systemTimers } from '#runtime/process/clock.ts';
import { anyEvent } from '#test/support/event.ts';
import { testLog } from '#test/support/server.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
const ONE_LOG = new Layout({ epoch: 0, partitions: 1, previous: null, sealed: [] });
const RECORDS = 450_000;
const BATCH_RECORDS = 250;

const TALLY: ActorKind<number, null, number, null> = {
  name: 'tally',
  initial: 0,
  decide: () => ({ facts: [], answer: null }),
  evolve: (sum, fact) => sum + fact,
  dueAt: () => null,
  due: null,
  isDisposable: () => false,
};

const fail = (why: string): never => {
  throw new Error(why);
};

/** The log of so many actors, each instance in its turn. */
const logOf = (actors: number, records = RECORDS): Uint8Array[] =>
  Array.from({ length: records / BATCH_RECORDS }, (_, batch) => {
    const ids = Array.from({ length: BATCH_RECORDS }, (_, at) => `t${(batch * BATCH_RECORDS + at) % actors}`);
    const named = [...new Set(ids)];
    const lines = ids.map((id) =>
      writeRecord({ actorIndex: named.indexOf(id), commandId: '', now: 0, facts: [1], answer: null }),
    );
    const written = named.map((id) => writeActor({ kind: 'tally', ...TENANT, id }));
    return writeBatch(batch + 1, 'earlier', written, lines);
  });

const journalOf = (messages: Uint8Array[]): Journal => ({
  append: async (_, { bytes }: BatchAppend) => ({ sequence: messages.push(bytes), duplicate: false }),
  last: async () => ({ sequence: messages.length, bytes: messages.at(-1)! }),
  at: async (_, sequence) => ({ sequence, bytes: messages[sequence - 1]! }),
  read: async function* (_, from, to) {
    for (let sequence = from; sequence <= to; sequence++) yield { sequence, bytes: messages[sequence - 1]! };
  },
  trim: async () => {},
  head: async () => messages.length,
});

class InMemoryDatabase {
  readonly states = new Map<string, string>();
  readonly written: LogPosition[] = [];
  readonly events: string[] = [];
  readonly audits: TenantAudit[] = [];
  position: LogPosition = { batch: 0, sequence: 0 };
  loads = 0;

  readonly snapshots = {
    position: async () => this.position,
    load: async (actors) => {
      this.loads++;
      return actors.map(({ key }) => this.states.get(key) ?? null);
    },
    project: async (_, { from, to, actors, events, audits }) => {
      if (from.batch !== this.position.batch) return false;
      this.audits.push(...audits);
      for (const { event } of events) this.events.push(event.type);
      for (const { address, state } of actors) this.states.set(address.key, state!);
      this.position = to;
      this.written.push(to);
      return true;
    },
  } as Partial<Snapshots> as Snapshots;
}

const recovering = async (
  journal: Journal,
  { snapshots }: InMemoryDatabase,
  kind = TALLY,
  lossReports: Loss[] = [],
  layout = ONE_LOG,
) => {
  const kinds = new Kinds();
  kinds.register(kind);
  const shared = { partition: 0, journal, snapshots, log: testLog(), timers: systemTimers };
  const lost = (loss: Loss): void => void lossReports.push(loss);
  const overtaken = vi.fn();
  const found = await recover({
    ...shared,
    kinds,
    nonce: () => 'own',
    projector: (position) => new Projector({ ...shared, overtaken, lost }, position),
    writer: new LogWriter(shared.journal, 0, systemTimers),
    doubt: () => {},
    lost,
    layouts: { read: async () => layout, seal: async () => false, reindex: async () => false },
  });
  return { ...found, overtaken, lossReports };
};
const recovered = (messages: Uint8Array[], database: InMemoryDatabase, kind = TALLY) =>
  recovering(journalOf(messages), database, kind);

const keyOf = (actor: number): string => `tally/${TENANT.store}/${TENANT.environment}/t${actor}`;

const addressOf = (actor: number, kind = TALLY): Address => ({
  kind,
  tenant: TENANT,
  id: `t${actor}`,
  key: keyOf(actor),
});

describe('a log of nearly half a million records', () => {
  test('writes one actor’s log as a row', async () => {
    const database = new InMemoryDatabase();
    const { number, projector } = await recovered(logOf(1), database);
    expect(number).toBe(RECORDS / BATCH_RECORDS + 1);
    await projector.drain();
    expect(database.states.get(keyOf(0))).toBe(String(RECORDS));
  });

  test('projects a long log while reading it, and keeps actors that recur', async () => {
    const database = new InMemoryDatabase();
    const actors = 24_000;
    const { projector, tail } = await recovered(logOf(actors), database);
    expect(database.written).toHaveLength(1);
    expect(tail.actors.size).toBe(0);
    await projector.drain();
    expect(database.states.size).toBe(actors);
    for (const actor of [0, 1_999, 2_000, 23_999])
      expect(database.states.get(keyOf(actor))).toBe(String(Math.ceil((RECORDS - actor) / actors)));
  });
});

describe('a short log', () => {
  const TELLING: typeof TALLY = {
    ...TALLY,
    announce: (sum, _, { id }) => [anyEvent(`${id} ${sum}`, {})],
  };
  const short = () => logOf(500, 750);

  test('loads only actors that get a command', async () => {
    const database = new InMemoryDatabase();
    const { tail } = await recovered(short(), database);
    expect(database.loads).toBe(0);
    expect(tail.has(addressOf(7))).toBe(true);
    await tail.activate(addressOf(7));
    const asked = tail.actors.get(keyOf(7));
    expect(asked).toMatchObject({ isLoaded: true, state: 2, durable: 2, changedIn: 3 });
    expect([...tail.actors.values()]).toEqual([asked]);
    expect([7, 8, 500].map((actor) => tail.has(addressOf(actor)))).toEqual([false, true, false]);
  });

  test('follows upon the snapshots', async () => {
    const database = new InMemoryDatabase();
    database.states.set(keyOf(7), '40');
    const { tail } = await recovered(short(), database);
    await Promise.all([tail.activate(addressOf(7)), tail.activate(addressOf(7))]);
    expect(tail.actors.get(keyOf(7))?.durable).toBe(42);
  });

  test.each([
    ['fact by fact', TALLY],
    ['all at once', { ...TALLY, evolveAll: (sum: number, facts: readonly number[]) => sum + 10 * facts.length }],
  ])('is taken in %s, and what was forgotten in it with all before counts for nothing', async (how, kind) => {
    const facts = [1, 1, null, 1, null, 1, 1, 1];
    const records = facts.map((fact) =>
      writeRecord({ actorIndex: 0, commandId: '', now: 0, facts: [fact], answer: null }),
    );
    const database = new InMemoryDatabase();
    database.states.set(keyOf(0), '40');
    const named = [writeActor({ kind: 'tally', ...TENANT, id: 't0' })];
    const { tail } = await recovered([writeBatch(1, 'earlier', named, records)], database, kind);
    await tail.activate(addressOf(0, kind));
    expect(tail.actors.get(keyOf(0))?.durable).toBe(how === 'all at once' ? 30 : 3);
  });

  test('emits its events once and in order, whichever actor is loaded first', async () => {
    const database = new InMemoryDatabase();
    const { tail, projector } = await recovered(short(), database, TELLING);
    for (const actor of [300, 7, 499]) await tail.activate(addressOf(actor, TELLING));
    await projector.drain();
    const ids = Array.from({ length: 750 }, (_, at) => `t${at % 500} ${at < 500 ? 1 : 2}`);
    expect(database.events).toEqual(ids);
    expect(database.states.get(keyOf(7))).toBe('2');
  });

  test('writes the audit records of its commands once', async () => {
    const audit: JournalAudit = {
      actor: { kind: 'key', id: 'k', name: null },
      endpoint: null,
      operation: 'count',
      resource: 'tally',
      resourceId: 't0',
      change: { before: null, after: { sum: 1 }, shortened: false },
      address: null,
      requestId: 'r',
    };
    const record = { actorIndex: 0, commandId: '', now: 5, facts: [1], answer: null };
    const lines = [writeRecord({ ...record, audit }), writeRecord(record)];
    const named = [writeActor({ kind: 'tally', ...TENANT, id: 't0' })];
    const database = new InMemoryDatabase();
    const { tail, projector } = await recovered([writeBatch(1, 'earlier', named, lines)], database);
    await tail.activate(addressOf(0));
    await projector.drain();
    await projector.drain();
    expect(database.audits).toEqual([{ tenant: TENANT, now: 5, audit }]);
  });

  test('loads an actor that gets a command while the whole tail is read', async () => {
    const database = new InMemoryDatabase();
    const { tail } = await recovered(short(), database);
    const all = tail.activateAll();
    const instance = new ActorInstance(addressOf(7));
    tail.actors.set(keyOf(7), instance);
    const asked = tail.activate(addressOf(7));
    await all;
    expect(tail.actors.get(keyOf(7))).toBe(instance);
    await asked;
    expect(instance).toMatchObject({ isLoaded: true, state: 2 });
  });

  test('projects without actors that are still loading', async () => {
    const database = new InMemoryDatabase();
    const { tail, projector } = await recovered(short(), database);
    tail.actors.set(keyOf(900), new ActorInstance(addressOf(900)));
    await projector.drain();
    expect(database.states.size).toBe(500);
  });

  test('discards a log that another owner has partly projected', async () => {
    const database = new InMemoryDatabase();
    const { tail, projector, overtaken } = await recovered(short(), database);
    database.position = { batch: 2, sequence: 2 };
    await expect(tail.activate(addressOf(7))).rejects.toThrow(Unavailable);
    expect(tail.actors.size).toBe(0);
    expect(overtaken).toHaveBeenCalledOnce();
    expect(projector.stopped).toBe(true);
    expect(database.written).toEqual([]);
  });

  test('waits for the database and loses nothing', async () => {
    const database = new InMemoryDatabase();
    const { tail, projector } = await recovered(short(), database, TELLING);
    const { load } = database.snapshots;
    database.snapshots.load = () => Promise.reject(new Unavailable('away'));
    await expect(tail.activate(addressOf(7))).rejects.toThrow('away');
    await expect(projector.drain()).rejects.toThrow('away');
    database.snapshots.load = load;
    await projector.drain();
    expect(tail.actors.get(keyOf(7))?.durable).toBe(2);
    expect(database.events).toHaveLength(750);
  });
});

describe('a log that does not follow upon the database', () => {
  const PLUS = writeRecord({ actorIndex: 0, commandId: '', now: 0, facts: [1], answer: null });
  const T0 = writeActor({ kind: 'tally', ...TENANT, id: 't0' });
  const batch = (number: number, nonce = 'earlier'): Uint8Array => writeBatch(number, nonce, [T0], [PLUS]);
  const DAMAGED = Buffer.from('no batch');

  /** Messages by sequence, of which some are gone. */
  const sparse = (first: number, ...messages: Uint8Array[]): Journal => {
    const stored = messages.map((bytes, at) => ({ sequence: first + at, bytes }));
    const head = () => stored.at(-1)?.sequence ?? first - 1;
    return {
      append: async (_, { bytes, expected }) => {
        if (expected !== (stored.at(-1)?.sequence ?? 0)) throw new OutOfSequence('partition 0', undefined);
        stored.push({ sequence: head() + 1, bytes: Buffer.from(bytes) });
        return { sequence: head(), duplicate: false };
      },
      last: async () => stored.at(-1) ?? null,
      at: async (_, sequence) => stored.find((each) => each.sequence === sequence) ?? null,
      read: async function* (_, from, to) {
        yield* stored.filter(({ sequence }) => sequence >= from && sequence <= to);
      },
      trim: async () => {},
      head: async () => head(),
    };
  };
  const databaseAt = (batch: number, sequence: number): InMemoryDatabase => {
    const database = new InMemoryDatabase();
    database.position = { batch, sequence, nonce: 'earlier' };
    database.states.set(keyOf(0), '40');
    return database;
  };
  const state = async (
    database: InMemoryDatabase,
    { tail, projector }: Awaited<ReturnType<typeof recovered>>,
  ): Promise<number> => {
    if (tail.has(addressOf(0))) await tail.activate(addressOf(0));
    await projector.drain();
    return Number(database.states.get(keyOf(0)));
  };

  test.each([
    { what: 'lacks batches', journal: () => sparse(1, batch(5), batch(6), batch(9), batch(10)), is: 41, opens: 11 },
    { what: 'lacks all that came next', journal: () => sparse(7, batch(9), batch(10)), is: 40, opens: 11 },
    {
      what: 'holds a batch that cannot be read',
      journal: () => sparse(1, batch(5), batch(6), DAMAGED, batch(8)),
      is: 41,
      opens: 9,
    },
    {
      what: 'ends with one that cannot be read',
      journal: () => sparse(1, batch(5), batch(6), DAMAGED),
      is: 41,
      opens: 8,
    },
    { what: 'is another one', journal: () => sparse(1, batch(60), batch(6), batch(7)), is: 40, opens: 8 },
    {
      what: 'is another one that counts alike',
      journal: () => sparse(1, batch(5, 'foreign'), batch(6, 'foreign')),
      is: 40,
      opens: 7,
    },
    {
      what: 'is another one that ends alike',
      journal: () => sparse(1, batch(5, 'foreign')),
      is: 40,
      opens: 6,
    },
    { what: 'is shorter', journal: () => sparse(1), is: 40, opens: 6, at: 90 },
    { what: 'is older', journal: () => sparse(1, batch(3), batch(4)), is: 40, opens: 6, at: 90 },
    { what: 'is older, and the backup says so', journal: () => sparse(1, batch(5), batch(6)), is: 40, opens: 7, at: 0 },
  ])('because it $what ends there, and the database says so before anything is served', async (given) => {
    const { journal: make, is, opens, at = 1 } = given;
    const database = databaseAt(5, at);
    const journal = make();
    const found = await recovering(journal, database);
    const { sequence } = (await journal.last(0))!;
    expect(found).toMatchObject({ number: opens, sequence });
    expect(database.position).toEqual({ batch: opens, sequence, nonce: 'own' });
    expect(found.lossReports).toHaveLength(1);
    expect(await state(database, found)).toBe(is);
    await journal.append(0, { number: opens + 1, expected: sequence, bytes: batch(opens + 1) });
    const next = await recovering(journal, database);
    expect(next.lossReports).toEqual([]);
    expect(await state(database, next)).toBe(is + 1);
  });

  describe('and has the mark at its end', () => {
    const changing = new Layout({ epoch: 1, partitions: 8, previous: { epoch: 0, partitions: 1 }, sealed: [] });
    const changed = new Layout({ epoch: 1, partitions: 8, previous: { epoch: 0, partitions: 1 }, sealed: [0] });
    const ended = () => sparse(1, batch(5), batch(6), writeEnd(7, 'earlier'));

    test('reads an ended log and appends nothing', async () => {
      const journal = ended();
      const database = databaseAt(5, 1);
      const found = await recovering(journal, database, TALLY, [], changing);
      expect(found).toMatchObject({ ended: true, number: 7, lossReports: [] });
      await found.projector.drain();
      expect([database.position.batch, await state(database, found)]).toEqual([7, 41]);
      expect((await journal.last(0))!.sequence).toBe(3);
    });

    test('takes nothing once it is sealed, though the mark may be trimmed by then', async () => {
      const trimmed = sparse(9);
      await expect(recovering(ended(), databaseAt(7, 3), TALLY, [], changed)).rejects.toThrow('sealed');
      await expect(recovering(trimmed, databaseAt(7, 3), TALLY, [], changed)).rejects.toThrow('sealed');
    });

    test('goes on where the database is of a day before the change', async () => {
      const found = await recovering(ended(), databaseAt(5, 0));
      expect(found).toMatchObject({ ended: false, number: 8 });
    });
  });

  test('reports a gap unless another owner has projected the missing part', async () => {
    const database = databaseAt(5, 5);
    const journal = sparse(8, batch(8), batch(9));
    const { position } = database.snapshots;
    let asked = 0;
    database.snapshots.position = async (partition) => {
      const before = await position(partition);
      if (++asked === 1) database.position = { batch: 8, sequence: 8 };
      return before;
    };
    const lossReports: Loss[] = [];
    await expect(recovering(journal, database, TALLY, lossReports)).rejects.toThrow(Unavailable);
    const found = await recovering(journal, database, TALLY, lossReports);
    expect(lossReports).toEqual([]);
    expect(await state(database, found)).toBe(41);
  });

  test('reports no loss when old batches have expired', async () => {
    const database = databaseAt(5, 90);
    expect((await recovering(sparse(91), database)).lossReports).toEqual([]);
    const { lossReports, number } = await recovering(sparse(95, batch(6)), databaseAt(5, 90));
    expect([lossReports, number]).toEqual([[], 7]);
  });

  test('and is of a later version waits for a host that can read it', async () => {
    const later = Buffer.from('[3,6,"later",[],[]]');
    await expect(recovering(sparse(1, batch(5), later), databaseAt(5, 1))).rejects.toThrow('format 3');
    const unknown = writeBatch(6, 'later', [writeActor({ kind: 'parcel', ...TENANT, id: 'p' })], [PLUS]);
    await expect(recovering(sparse(1, batch(5), unknown), databaseAt(5, 1))).rejects.toThrow('parcel');
  });
});

describe('a record that cannot be read', () => {
  const record = (actor: number, facts: readonly unknown[], answer: StoredAnswer | null = null): string =>
    writeRecord({ actorIndex: actor, commandId: 'c', now: 0, facts, answer });
  const named = [0, 1].map((id) => writeActor({ kind: 'tally', ...TENANT, id: `t${id}` }));
  const STRICT: typeof TALLY = {
    ...TALLY,
    evolve: (sum, fact) => {
      if (typeof fact !== 'number') throw new TypeError('not a number');
      return sum + fact;
    },
  };
  const STORED_ANSWER: StoredAnswer = { hash: 'ab', fingerprint: 'f', sealed: 'c2VhbGVk', expiresAt: 9e15 };

  test.each([
    { what: 'is cut off', spoilt: '[0,"c",0,[1' },
    { what: 'has facts that its kind does not take', spoilt: record(0, [{ did: 'what' }]) },
    { what: 'keeps an answer that cannot be read', spoilt: '[0,"c",0,[1],["ab",,1]]' },
  ])('because it $what leaves its actor as the database has it, and the others go on', async ({ spoilt }) => {
    const database = new InMemoryDatabase();
    database.states.set(keyOf(0), '40');
    const log = [writeBatch(1, 'earlier', named, [record(0, [1], STORED_ANSWER), spoilt, record(1, [1])])];
    const found = await recovered(log, database, STRICT);
    expect(found.lossReports).toEqual([]);
    await found.tail.activate(addressOf(0, STRICT));
    expect(found.tail.actors.get(keyOf(0))).toMatchObject({ isLoaded: true, state: 40, durable: 40, changedIn: 0 });
    expect(found.lossReports).toMatchObject([{ fields: { kind: 'tally', id: 't0', records: 2, ...TENANT } }]);
    expect(found.tail.answers).toEqual([]);
    await found.projector.drain();
    expect([...database.states]).toEqual([
      [keyOf(0), '40'],
      [keyOf(1), '1'],
    ]);
    expect(found.lossReports).toHaveLength(1);
  });

  test('emits no events of records before it', async () => {
    const database = new InMemoryDatabase();
    const telling = { ...STRICT, announce: (sum: number) => [anyEvent(`is ${sum}`, {})] };
    const log = [writeBatch(1, 'earlier', named, [record(0, [1]), record(1, [1]), record(0, ['x'])])];
    const { projector } = await recovered(log, database, telling);
    await projector.drain();
    expect(database.events).toEqual(['is 1']);
  });

  test('treats a record without an actor as a gap', async () => {
    const database = new InMemoryDatabase();
    const log = [writeBatch(1, 'earlier', named, [record(1, [1])]), writeBatch(2, 'earlier', named, [record(7, [1])])];
    const { projector, lossReports } = await recovered(log, database);
    await projector.drain();
    expect(lossReports).toHaveLength(1);
    expect(database.states.get(keyOf(1))).toBe('1');
  });

  test('does not keep others from being written where its actor has a state that cannot be', async () => {
    const database = new InMemoryDatabase();
    const kind = { ...TALLY, write: (sum: number) => (sum > 1 ? fail('too much') : String(sum)) };
    const log = [writeBatch(1, 'earlier', named, [record(0, [2]), record(1, [1])])];
    const { projector, lossReports } = await recovered(log, database, kind);
    await projector.drain();
    expect([...database.states]).toEqual([[keyOf(1), '1']]);
    expect(lossReports).toMatchObject([{ fields: { id: 't0' } }]);
  });
});
