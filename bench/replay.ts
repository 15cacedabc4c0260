// Measures how fast a new owner reads events that the database lacks: logs of a counting kind, of real stock holds and of
// real carts. The first figure is the time to a first answer, the second until all actors have evolved and Postgres has every
// event.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf } from '#runtime/actor/address.ts';
import { natsJournal } from '#runtime/actor/journal.ts';
import { readBatch, writeActor, writeBatch, writeRecord } from '#runtime/actor/journal_record.ts';
import type { AnyKind } from '#runtime/actor/kind.ts';
import { openLayout } from '#runtime/actor/layout_table.ts';
import { openActors } from '#runtime/actor/start.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { CART } from '#services/cart/actor.ts';
import type { CartCommand } from '#services/cart/cart.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { stockKind } from '#services/stock/actor.ts';
import type { StockCommand } from '#services/stock/stock.ts';
import { benchStock, type CounterCommand as CountCommand } from './counter_kind.ts';
import { median, print, round } from './figure.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const BATCH_RECORDS = 256;
const PARTITIONS = 4;
const PARTITION = 0;
const NAMESPACE = 'bench';
const HOLD_MS = 1_800_000;
const SHOP = { currency: 'USD', abandonedAfterMs: 3_600_000 };
const TENANT: Tenant = { store: randomUUID(), environment: 'production' };

const log = createLog({ name: 'bench', level: 'error' });
const clock = systemClock();
const seal = openSeal(Buffer.alloc(32, 3).toString('base64'));

const STOCK = stockKind(() => {});

interface Case {
  readonly name: string;
  readonly kind: AnyKind;
  readonly actors: number;
  readonly commandsEach: number;
  readonly command: () => unknown;
  readonly read: unknown;
}

const holding = (): StockCommand => ({
  type: 'Hold',
  hold: randomUUID(),
  quantity: 1,
  expiresAt: Date.now() + HOLD_MS,
  level: { onHand: 1_000_000, version: 1, allocated: 0 },
});

const adding = (): CartCommand => ({
  type: 'AddItem',
  settings: SHOP,
  param: 'variant_id',
  quantity: 1,
  offer: {
    variant_id: randomUUID(),
    product_id: randomUUID(),
    name: 'A product with a name of common length',
    variant_name: 'Size 4',
    sku: 'SKU-1004',
    thumbnail_url: `https://images.example/pictures/${randomUUID()}/front.jpg`,
    is_active: true,
    unit_price: 1_999,
    prices: [{ from: 1, unit_price: 1_999 }],
    currency: 'USD',
    stock: 100,
  },
});

const counting = (): CountCommand => ({ receive: 1 });

const look: StockCommand = { type: 'Look', level: null };
const CASES: readonly Case[] = [
  { name: 'counts', kind: benchStock, actors: 1, commandsEach: 400_000, command: counting, read: counting() },
  { name: 'holds of one variant', kind: STOCK, actors: 1, commandsEach: 100_000, command: holding, read: look },
  { name: 'holds of 1,000 variants', kind: STOCK, actors: 1_000, commandsEach: 200, command: holding, read: look },
  {
    name: 'items of 12,000 carts',
    kind: CART,
    actors: 12_000,
    commandsEach: 5,
    command: adding,
    read: { type: 'Read' },
  },
];

/** Id of an actor of the one partition. */
const ownId = (kind: AnyKind): string => {
  for (;;) {
    const id = kind === CART ? `session/${randomUUID()}` : randomUUID();
    if (partitionOf(`${kind.name}/${TENANT.store}/${TENANT.environment}/${id}`, PARTITIONS) === PARTITION) return id;
  }
};

const home = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
const quiet = (): void => {};
const [database, nats] = await Promise.all([startPostgres({ home, log: quiet }), startNats({ home, log: quiet })]);

const openBus = async () => {
  const bus = connectBus({ url: nats.url, name: 'bench', log });
  while (!bus.connected) await Bun.sleep(5);
  return bus;
};

/** Writes what the actors decide, a command of each in turn. Returns how many facts, and whose. */
const fill = async ({ kind, actors, commandsEach, command }: Case): Promise<{ events: number; id: string }> => {
  const bus = await openBus();
  const journal = natsJournal(bus, NAMESPACE, 1);
  const last = await journal.last(PARTITION);
  let expected = last?.sequence ?? 0;
  let number = last ? readBatch(last.bytes).number : 0;
  const cells = Array.from({ length: actors }, () => ({ id: ownId(kind), state: kind.initial }));
  let events = 0;
  let places = new Map<string, number>();
  let records: string[] = [];
  const send = async (): Promise<void> => {
    const named = Array.from(places.keys(), (id) => writeActor({ kind: kind.name, ...TENANT, id }));
    const bytes = writeBatch(++number, randomUUID(), named, records);
    expected = (await journal.append(PARTITION, { number, expected, bytes })).sequence;
    places = new Map();
    records = [];
  };
  for (let sequence = 0; sequence < commandsEach; sequence++)
    for (const cell of cells) {
      const context = { tenant: TENANT, id: cell.id, now: Date.now(), commandId: randomUUID() };
      const decision = kind.decide(cell.state, command(), context);
      if (decision instanceof Refusal) throw new Error(decision.message);
      const { facts } = decision;
      cell.state = decision.state ?? facts.reduce((state, fact) => kind.evolve(state, fact), cell.state);
      const actor = places.get(cell.id) ?? places.size;
      places.set(cell.id, actor);
      records.push(
        writeRecord({ actorIndex: actor, commandId: context.commandId, now: context.now, facts, answer: null }),
      );
      events += facts.length;
      if (records.length === BATCH_RECORDS) await send();
    }
  if (records.length > 0) await send();
  await bus.close();
  return { events, id: cells[0]!.id };
};

const replay = async (one: Case): Promise<{ events: number; seconds: number; cpuUs: number; written: number }> => {
  const { events, id } = await fill(one);
  const postgres = connectPostgres({ url: database.url, connectionsMax: 20, name: 'bench', log, clock, seal });
  const bus = await openBus();
  const layout = await openLayout(postgres, log, PARTITIONS);
  const place = { namespace: NAMESPACE, layout, address: 'unix:bench', linkToken: '' };
  const actors = openActors({ postgres, bus, clock, seal, log, ...place });
  for (const kind of [benchStock, STOCK, CART]) actors.register(kind);
  await actors.start();
  const startedAt = performance.now();
  const used = process.cpuUsage();
  const call = { commandId: randomUUID(), deadline: Date.now() + 60_000 };
  const tell = (): Promise<unknown> => actors.tell(one.kind, TENANT, id, one.read, call);
  let answer = await tell().catch((problem: unknown) => problem);
  // On a busy machine a server may not answer in time: the owner begins anew, and those who wait are sent away.
  for (; answer instanceof Unavailable; answer = await tell().catch((problem: unknown) => problem)) await Bun.sleep(5);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(used);
  if (answer instanceof Refusal || answer instanceof Error) throw new Error(answer.message);
  // A query for due actors, which Postgres answers once it has all events.
  await actors.nextDue(TENANT, 0);
  const written = (performance.now() - startedAt) / 1_000;
  await actors.stop();
  await bus.close();
  await postgres.close();
  return { events, seconds, cpuUs: (user + system) / events, written };
};

try {
  await migrate({ url: database.url, log });
  for (const one of CASES.filter(({ name }) => name.includes(process.env.ONLY ?? ''))) {
    const rounds = [];
    for (let at = 0; at < ROUNDS; at++) rounds.push(await replay(one));
    const { events, seconds } = rounds.toSorted((a, b) => a.seconds - b.seconds)[ROUNDS >> 1]!;
    print({
      bench: 'replay',
      case: one.name,
      actors: one.actors,
      events,
      seconds: round(seconds),
      events_per_second: Math.round(events / seconds),
      written_seconds: round(median(rounds.map(({ written }) => written))),
      cpu_us_each: round(median(rounds.map(({ cpuUs }) => cpuUs)), 1),
    });
  }
} finally {
  await Promise.all([database.stop(), nats.stop()]);
  await rm(home, { recursive: true, force: true });
}
