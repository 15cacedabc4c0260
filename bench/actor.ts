// Measures the actor host on a real broker with an fsync per append. Cases: one hot actor in the host and through the link,
// the cost of a cart while awake, a million asleep, and the time to wake one.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActorCall } from '#runtime/actor/host.ts';
import { journalStream } from '#runtime/actor/journal.ts';
import type { AnyKind } from '#runtime/actor/kind.ts';
import { openLayout } from '#runtime/actor/layout_table.ts';
import type { Router } from '#runtime/actor/router.ts';
import { openActors } from '#runtime/actor/start.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import type { Bus } from '#runtime/nats/bus.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { createNotices } from '#runtime/nats/notice.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { readSettings } from '#runtime/process/setting.ts';
import type { CartCommand } from '#services/cart/cart.ts';
import { cart } from '#services/cart/index.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { benchStock } from './counter_kind.ts';
import { median, print, quantile, round } from './figure.ts';
import { residentMb } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = 1_500;
const CALLERS = 64;
const CARTS = 10_000;
const CART_LINES = 5;
const WAKES = 5_000;
const SCARCE = 1_000;
const SLEEPING = Number(process.env.SLEEPING ?? 1_000_000);
const SLEEPING_CALLERS = 1_024;
const PARTITIONS = 4;
const NAMESPACE = 'bench';

const TENANT: Tenant = { store: randomUUID(), environment: 'production' };
const MASTER_KEY = Buffer.alloc(32, 3).toString('base64');
const log = createLog({ name: 'bench', level: 'error' });
const clock = systemClock();
const seal = openSeal(MASTER_KEY);

const say = (name: string, measured: Record<string, number>): void =>
  print({ bench: 'actor', case: name, ...measured });
const heapUsed = (): number => {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
};

const home = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
const quiet = (): void => {};
const [postgresServer, nats] = await Promise.all([
  startPostgres({ home, log: quiet }),
  startNats({ home, log: quiet }),
]);

interface Host {
  readonly actors: Router;
  readonly bus: Bus;
  readonly postgres: Postgres;
  /** Kind of real carts. */
  readonly cart: AnyKind;
  stop(): Promise<void>;
}

const openHost = async (): Promise<Host> => {
  const url = postgresServer.url;
  const postgres = connectPostgres({ url, connectionsMax: 20, name: 'bench', log, clock, seal });
  const bus = connectBus({ url: nats.url, name: 'bench', log });
  while (!bus.connected) await Bun.sleep(5);
  const shared = {
    postgres,
    bus,
    clock,
    seal,
    log,
    namespace: NAMESPACE,
    domains: [],
    jobs: { wake: () => {} },
    settings: readSettings({}),
    pauseTenant: () => Promise.reject(new Error('No caller is kept out.')),
  };
  const layout = await openLayout(postgres, log, PARTITIONS);
  const actors = openActors({ ...shared, layout, address: 'unix:bench', linkToken: '' });
  const kinds: AnyKind[] = [benchStock];
  const notices = createNotices({ bus, namespace: NAMESPACE, log });
  cart({
    ...shared,
    notices,
    actors: { ...actors, register: (kind: AnyKind) => void kinds.push(kind) } as unknown as Router,
    ask: async () => refuse('service_unavailable', 'No other domain is hosted here.'),
  });
  for (const kind of kinds) actors.register(kind);
  await actors.start();
  return {
    actors,
    bus,
    postgres,
    cart: kinds.find(({ name }) => name === 'cart') as AnyKind,
    async stop() {
      await actors.stop();
      notices.close();
      await bus.close();
      await postgres.close();
    },
  };
};

const call = (): ActorCall => ({ commandId: randomUUID(), deadline: Date.now() + 5_000 });

const requireAccepted = (answer: unknown): void => {
  if (answer instanceof Refusal) throw new Error(answer.message);
};

/** Runs as many calls as the callers complete in this time; answers the duration of each in ms. */
const drive = async (callers: number, forMs: number, run: () => Promise<void>): Promise<number[]> => {
  const took: number[] = [];
  const until = performance.now() + forMs;
  const one = async (): Promise<void> => {
    for (let now = performance.now(); now < until; ) {
      await run();
      const after = performance.now();
      took.push(after - now);
      now = after;
    }
  };
  await Promise.all(Array.from({ length: callers }, one));
  return took;
};

/** Each of them once, by so many callers; how long each took, in ms. */
const each = async <T>(items: readonly T[], callers: number, run: (item: T) => Promise<unknown>): Promise<number[]> => {
  const took: number[] = [];
  let at = 0;
  const one = async (): Promise<void> => {
    while (at < items.length) {
      const startedAt = performance.now();
      await run(items[at++] as T);
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, one));
  return took;
};

const settled = async ({ postgres }: Host): Promise<void> => {
  for (let before = -1; ; ) {
    const [row] = await postgres.sql<
      { sum: number }[]
    >`select coalesce(sum(batch), 0)::float8 as sum from runtime.partition`;
    if (row?.sum === before) return;
    before = row?.sum ?? 0;
    await Bun.sleep(1_000);
  }
};

/** One hot actor, in turns with single messages, which is what one fsync a command would allow. */
const hotActor = async ({ actors, bus }: Host): Promise<void> => {
  const hot = randomUUID();
  requireAccepted(await actors.tell(benchStock, TENANT, hot, { receive: 1_000_000_000 }, call()));
  const hold = async (): Promise<void> =>
    requireAccepted(await actors.tell(benchStock, TENANT, hot, { hold: randomUUID(), quantity: 1 }, call()));
  const stream = journalStream('benchsingle', 1);
  await bus.ensureStream(stream);
  const payload = Buffer.alloc(300, 'x');
  const single = async (): Promise<void> => {
    await bus.append('benchsingle.actor.0', payload, { id: randomUUID() });
  };
  await drive(CALLERS, ROUND_MS, hold);
  const rates: { hot: number[]; single: number[]; p99: number[] } = { hot: [], single: [], p99: [] };
  for (let at = 0; at < ROUNDS; at++) {
    const took = await drive(CALLERS, ROUND_MS, hold);
    rates.hot.push((took.length * 1_000) / ROUND_MS);
    rates.p99.push(quantile(took, 0.99));
    rates.single.push(((await drive(CALLERS, ROUND_MS / 2, single)).length * 2_000) / ROUND_MS);
  }
  say('hot actor', {
    callers: CALLERS,
    per_second: round(median(rates.hot), 0),
    p99_ms: round(median(rates.p99), 2),
    single_messages_per_second: round(median(rates.single), 0),
    ratio: round(median(rates.hot) / median(rates.single), 1),
  });
};

/** A line of a real cart, as it is read from a request. */
const adding = (line: number): CartCommand =>
  JSON.parse(
    JSON.stringify({
      type: 'AddItem',
      settings: { currency: 'USD', abandonedAfterMs: 3_600_000 },
      param: 'variant_id',
      quantity: 1 + line,
      offer: {
        variant_id: randomUUID(),
        product_id: randomUUID(),
        name: `A product with a name of common length ${line}`,
        variant_name: `Size ${line}`,
        sku: `SKU-${1_000 + line}`,
        thumbnail_url: `https://images.example/pictures/${randomUUID()}/front.jpg`,
        is_active: true,
        unit_price: 1_999 + line,
        prices: [{ from: 1, unit_price: 1_999 + line }],
        currency: 'USD',
        stock: 100,
      },
    } satisfies CartCommand),
  );

/** Measures a real cart of five lines while it is awake. */
const awakeCarts = async ({ actors, cart: kind }: Host): Promise<readonly string[]> => {
  const ids = Array.from({ length: CARTS }, (_, at) => `session/bench-${at}`);
  await each(ids.slice(0, 1), 1, async (id) => requireAccepted(await actors.tell(kind, TENANT, id, adding(0), call())));
  const before = heapUsed();
  for (let line = 0; line < CART_LINES; line++)
    await each(ids, 512, async (id) => requireAccepted(await actors.tell(kind, TENANT, id, adding(line), call())));
  await Bun.sleep(3_000);
  say('cart awake', { lines: CART_LINES, carts: CARTS, heap_bytes_each: round((heapUsed() - before) / CARTS, 0) });
  return ids;
};

/**
 * A wake reads the snapshot from Postgres and writes the first fact to disk: one after the other for the latency, many at
 * once for the rate.
 */
const wakes = async (host: Host, ids: readonly string[]): Promise<void> => {
  const wake = async (id: string): Promise<unknown> =>
    host.actors.tell(host.cart, TENANT, id, { type: 'Read' }, call());
  const write = async (id: string): Promise<unknown> =>
    host.actors.tell(
      host.cart,
      TENANT,
      id,
      { type: 'AddCode', settings: { currency: 'USD', abandonedAfterMs: 1e7 }, code: 'A' },
      call(),
    );
  await wake('session/nobody');
  const alone = await each(ids.slice(0, 1_000), 1, wake);
  const written = await each(ids.slice(1_000, 2_000), 1, write);
  const startedAt = performance.now();
  const crowd = await each(ids.slice(2_000, 2_000 + WAKES), CALLERS, wake);
  say('cold wake', {
    p50_ms: round(quantile(alone, 0.5), 2),
    p99_ms: round(quantile(alone, 0.99), 2),
    with_write_p99_ms: round(quantile(written, 0.99), 2),
    callers: CALLERS,
    wakes_per_second: round((WAKES * 1_000) / (performance.now() - startedAt), 0),
    crowded_p99_ms: round(quantile(crowd, 0.99), 2),
  });
};

interface HostProcess {
  readonly wire: LinkClient;
  memory(): Promise<{ readonly heap: number; readonly resident: number }>;
  stop(): Promise<void>;
}

const startHostProcess = async (): Promise<HostProcess> => {
  const link = `unix:${home}/${randomUUID()}.sock`;
  const env = {
    ...process.env,
    DATABASE_URL: postgresServer.url,
    NATS_URL: nats.url,
    STOA_LINK: link,
    STOA_MASTER_KEY: MASTER_KEY,
    STOA_NAMESPACE: NAMESPACE,
  };
  const child = Bun.spawn([process.execPath, 'bench/actor_process.ts'], { env, stdout: 'pipe', stderr: 'inherit' });
  await child.stdout.getReader().read();
  const wire = connectLinks({ addresses: [link], token: '', log });
  while (!wire.serves('Bench')) await Bun.sleep(5);
  return {
    wire,
    memory: async () => JSON.parse(Buffer.from(await ask(wire, 'Bench/Memory', {})).toString()),
    async stop() {
      child.kill('SIGTERM');
      await child.exited;
      await wire.close();
    },
  };
};

const ask = async (wire: LinkClient, rpc: string, input: unknown): Promise<Uint8Array> => {
  const answer = await wire.ask(
    {
      rpc,
      caller: { tenant: TENANT, keyType: 'internal', keyId: '', customer: null },
      timeoutMs: 5_000,
      requestId: '',
      trace: '',
      input: JSON.stringify(input),
      rawBody: null,
      contentType: '',
      idempotency: null,
      revisionMin: 0,
    },
    true,
  );
  if (answer.refused) throw new Error(answer.refused.message);
  return answer.body;
};

/** The same hot actor asked from another process; of its pieces exactly those that there are are sold. */
const throughLink = async (): Promise<void> => {
  const { wire, stop } = await startHostProcess();
  const hot = randomUUID();
  const hold = async (): Promise<void> =>
    void (await ask(wire, 'Bench/Tell', { id: hot, hold: randomUUID(), quantity: 1 }));
  await ask(wire, 'Bench/Tell', { id: hot, receive: 1_000_000_000 });
  await drive(CALLERS, ROUND_MS, hold);
  const rates: { perSecond: number[]; p99: number[] } = { perSecond: [], p99: [] };
  for (let at = 0; at < ROUNDS; at++) {
    const took = await drive(CALLERS, ROUND_MS, hold);
    rates.perSecond.push((took.length * 1_000) / ROUND_MS);
    rates.p99.push(quantile(took, 0.99));
  }
  const scarce = randomUUID();
  await ask(wire, 'Bench/Tell', { id: scarce, receive: SCARCE });
  let sold = 0;
  await each(Array.from({ length: 2 * SCARCE }), CALLERS, () =>
    ask(wire, 'Bench/Tell', { id: scarce, hold: randomUUID(), quantity: 1 }).then(
      () => {
        sold++;
      },
      () => {},
    ),
  );
  if (sold !== SCARCE) throw new Error(`Of ${SCARCE} pieces ${sold} were sold.`);
  say('hot actor through the link', {
    callers: CALLERS,
    per_second: round(median(rates.perSecond), 0),
    p99_ms: round(median(rates.p99), 2),
    sold_of_1000: sold,
  });
  await stop();
};

/** Measures unused carts: a host that starts with none against one that starts with all of them. */
const sleeping = async (): Promise<void> => {
  const brokerMb = (): Promise<number> => residentMb(nats.child.pid);
  const empty = await startHostProcess();
  const without = await empty.memory();
  await empty.stop();
  const brokerBeforeMb = await brokerMb();
  const host = await openHost();
  const startedAt = performance.now();
  await each(
    Array.from({ length: SLEEPING }, (_, at) => `session/sleeper-${at}`),
    SLEEPING_CALLERS,
    async (id) => requireAccepted(await host.actors.tell(host.cart, TENANT, id, adding(1), call())),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  await settled(host);
  const brokerFullMb = await brokerMb();
  await host.stop();
  const full = await startHostProcess();
  const startedWith = await full.memory();
  await full.stop();
  say('asleep', {
    carts: SLEEPING,
    made_per_second: round(SLEEPING / seconds, 0),
    host_heap_mb_without: round(without.heap / 1e6, 1),
    host_heap_mb_with: round(startedWith.heap / 1e6, 1),
    broker_mb_before: round(brokerBeforeMb, 0),
    broker_mb_full: round(brokerFullMb, 0),
    broker_mb_after: round(await brokerMb(), 0),
  });
};

try {
  await migrate({ url: postgresServer.url, log });
  let host = await openHost();
  await hotActor(host);
  const ids = await awakeCarts(host);
  await host.stop();
  host = await openHost();
  await wakes(host, ids);
  await host.stop();
  await throughLink();
  await sleeping();
} finally {
  await Promise.all([postgresServer.stop(), nats.stop()]);
  await rm(home, { recursive: true, force: true });
}
