// Measures holds of one popular variant inside the host and through the link, against single messages of the same broker.
// Checks that exactly the stock is sold.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalStream } from '#runtime/actor/journal.ts';
import { openLayout } from '#runtime/actor/layout_table.ts';
import { openActors } from '#runtime/actor/start.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { connectLinks } from '#runtime/link/client.ts';
import type { Caller } from '#runtime/link/frame.ts';
import { connectBus } from '#runtime/nats/nats.ts';
import { migrate } from '#runtime/postgres/migration.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { startNats } from '#services/cli/local/nats.ts';
import { startPostgres } from '#services/cli/local/postgres.ts';
import { stockKind } from '#services/stock/actor.ts';
import type { StockCommand } from '#services/stock/stock.ts';
import { median, print, quantile, round } from './figure.ts';
import { startStack } from './stack.ts';

const CALLERS = 64;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Variants that are sold out one after the other: more than ten seconds of a host that has work, all of it counted. */
const VARIANTS = Number(process.env.VARIANTS ?? 14);
/** Before them, as a host that has just started is not measured. */
const VARIANTS_WARM = 2;
const PIECES = 40_000;
const LINK_PIECES = 20_000;
const ORDERS = 10_000;
const SINGLE_MS = 750;
const HOLD_MS = 1_800_000;
const NAMESPACE = 'bench';

const log = createLog({ name: 'bench', level: 'warn' });
const say = (name: string, measured: Record<string, number | boolean>): void =>
  print({ bench: 'stock', case: name, ...measured });

interface Rush {
  readonly seconds: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of this process for each. */
  readonly cpuUs: number;
  /** How many got what they wanted. */
  readonly served: number;
}

/** Repeats until none is left: callers who get a unit come again at once. */
const rush = async (wants: () => Promise<boolean>): Promise<Rush> => {
  const took: number[] = [];
  const startedAt = performance.now();
  const used = process.cpuUsage();
  const one = async (): Promise<void> => {
    for (let from = performance.now(); await wants(); ) {
      const at = performance.now();
      took.push(at - from);
      from = at;
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(used);
  return {
    seconds,
    cpuUs: (user + system) / took.length,
    perSecond: took.length / seconds,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
    served: took.length,
  };
};

const summary = (rushes: readonly Rush[]) => ({
  callers: CALLERS,
  per_second: round(median(rushes.map(({ perSecond }) => perSecond)), 0),
  p50_ms: round(median(rushes.map(({ p50Ms }) => p50Ms)), 2),
  p99_ms: round(median(rushes.map(({ p99Ms }) => p99Ms)), 2),
});

// ── Inside the host ──────────────────────────────────────────────────────────────────────────────────────────────────

const insideTheHost = async (): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), 'stoa-bench-'));
  const quiet = (): void => {};
  const [database, nats] = await Promise.all([startPostgres({ home, log: quiet }), startNats({ home, log: quiet })]);
  const clock = systemClock();
  const seal = openSeal(Buffer.alloc(32, 3).toString('base64'));
  await migrate({ url: database.url, log });
  const postgres = connectPostgres({ url: database.url, connectionsMax: 20, name: 'bench', log, clock, seal });
  const bus = connectBus({ url: nats.url, name: 'bench', log });
  while (!bus.connected) await Bun.sleep(5);
  const layout = await openLayout(postgres, log, 4);
  const place = { namespace: NAMESPACE, layout, address: 'unix:bench', linkToken: '' };
  const actors = openActors({ postgres, bus, clock, seal, log, ...place });
  const kind = stockKind(() => {});
  actors.register(kind);
  await actors.start();
  try {
    const tenant: Tenant = { store: randomUUID(), environment: 'production' };
    /** The hold names the command, as it does in the domain. */
    const tell = (variant: string, hold: string, command: StockCommand) =>
      actors.tell(kind, tenant, variant, command, { commandId: hold, deadline: Date.now() + 5_000 });
    const holdIn = async (variant: string, onHand: number): Promise<string | null> => {
      const hold = randomUUID();
      const expiresAt = Date.now() + HOLD_MS;
      const level = { onHand, version: 1, allocated: 0 };
      const answer = await tell(variant, hold, { type: 'Hold', hold, quantity: 1, expiresAt, level });
      if (answer instanceof Refusal) throw new Error(answer.message);
      return answer.hold && hold;
    };
    const heldOf = async (variant: string): Promise<number> => {
      const answer = await tell(variant, '', { type: 'Look', level: null });
      return answer instanceof Refusal ? -1 : answer.held;
    };
    const stream = journalStream('benchsingle', 1);
    await bus.ensureStream(stream);
    const payload = Buffer.alloc(300, 'x');
    const singles = async (): Promise<number> => {
      const until = performance.now() + SINGLE_MS;
      const { perSecond } = await rush(async () => {
        await bus.append('benchsingle.actor.0', payload, { id: randomUUID() });
        return performance.now() < until;
      });
      return perSecond;
    };

    const holds: Rush[] = [];
    const single: number[] = [];
    let exact = true;
    for (let at = 0; at < VARIANTS_WARM + VARIANTS; at++) {
      const variant = randomUUID();
      const made = await rush(async () => (await holdIn(variant, PIECES)) !== null);
      exact &&= made.served === PIECES && (await heldOf(variant)) === PIECES;
      if (at < VARIANTS_WARM) continue;
      holds.push(made);
      single.push(await singles());
    }
    const { callers, p50_ms, p99_ms } = summary(holds);
    const seconds = holds.reduce((sum, made) => sum + made.seconds, 0);
    const perSecond = (VARIANTS * PIECES) / seconds;
    say('hold', {
      variants: VARIANTS,
      pieces: PIECES,
      exactly_sold: exact,
      seconds: round(seconds, 1),
      per_second: round(perSecond, 0),
      slowest_variant: round(Math.min(...holds.map((made) => made.perSecond)), 0),
      callers,
      p50_ms,
      p99_ms,
      cpu_us_each: round(median(holds.map(({ cpuUs }) => cpuUs)), 1),
      single_messages_per_second: round(median(single), 0),
      ratio: round(perSecond / median(single), 1),
    });

    const sell = (variant: string): Promise<Rush> => {
      let left = ORDERS;
      return rush(async () => {
        const hold = await holdIn(variant, ORDERS);
        if (!hold) return false;
        // Postgres' part: stock on hand falls by one, and the row counts it.
        left--;
        const level = { onHand: left, version: 1 + ORDERS - left, allocated: ORDERS - left };
        await tell(variant, hold, { type: 'Commit', holds: [hold], level });
        return true;
      });
    };
    const sold: Rush[] = [];
    for (let at = 0; at < ROUNDS; at++) sold.push(await sell(randomUUID()));
    say('hold and commit', {
      orders: ORDERS,
      exactly_sold: sold.every(({ served }) => served === ORDERS),
      ...summary(sold),
    });
  } finally {
    await actors.stop();
    await bus.close();
    await postgres.close();
    await Promise.all([database.stop(), nats.stop()]);
    await rm(home, { recursive: true, force: true });
  }
};

// ── Through the link ─────────────────────────────────────────────────────────────────────────────────────────────────

const throughTheLink = async (): Promise<void> => {
  const stack = await startStack();
  const wire = connectLinks({ addresses: [stack.services.url], token: '', log });
  try {
    const { store_id } = await stack.createStore();
    const tenant: Tenant = { store: store_id, environment: 'production' };
    const caller: Caller = { tenant, keyType: 'internal', keyId: '', customer: null };
    while (!wire.serves('Stock')) await Bun.sleep(10);
    const ask = async (rpc: string, input: object) => {
      const { body, refused } = await wire.ask(
        {
          rpc,
          caller,
          timeoutMs: 10_000,
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
      return refused ?? JSON.parse(new TextDecoder().decode(body));
    };
    const rushes: Rush[] = [];
    let exact = true;
    for (let at = 0; at < ROUNDS; at++) {
      const product = await ask('Catalog/CreateProduct', { name: `Drop ${at}`, price: 9, stock: LINK_PIECES });
      if (product instanceof Refusal) throw new Error(product.message);
      const { variant_id } = product;
      const expires_at = new Date(Date.now() + HOLD_MS).toISOString();
      const made = await rush(async () => {
        const held = await ask('Stock/HoldStock', {
          hold_id: randomUUID(),
          lines: [{ variant_id, quantity: 1 }],
          expires_at,
        });
        if (!(held instanceof Refusal)) return true;
        if (held.code !== 'insufficient_stock') throw new Error(held.message);
        return false;
      });
      const { levels } = await ask('Stock/LookAtStock', { variant_ids: [variant_id] });
      exact &&= made.served === LINK_PIECES && levels[0].held === LINK_PIECES && levels[0].available === 0;
      // Held quantities are published a few times a second, at any rate of holds.
      for (let shown = -1; shown !== 0; await Bun.sleep(20))
        shown = (await ask('Catalog/GetProduct', { id: product.id })).stock;
      rushes.push(made);
    }
    say('hold through the link', { pieces: LINK_PIECES, exactly_sold: exact, ...summary(rushes) });
  } finally {
    await wire.close();
    await stack.stop();
  }
};

await insideTheHost();
await throughTheLink();
