// Measures whole checkouts in four ways: six calls with a simulated payment, four calls paid by hand, three by an intent, and
// a split checkout over two merchants with one payment. Each runs with 1, 16 and 256 callers. Figures: checkouts a second,
// processor time of each process a checkout, and its transactions and statements by Postgres' count, with all later work.
import { randomUUID } from 'node:crypto';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { signatureHeaders } from '#services/cli/signing.ts';
import { openCounter, STATISTICS_SETTINGS, useBetween } from './database_use.ts';
import { print, quantile, round } from './figure.ts';
import { machine } from './machine.ts';
import { type UsedPart, usedBy } from './processor_use.ts';
import { type BenchStore, startStack } from './stack.ts';

const CALLERS = (process.env.CALLERS ?? '1,16,256').split(',').map(Number);
const WARM_MS = Number(process.env.WARM_MS ?? 10_000);
const MEASURED_MS = Number(process.env.MEASURED_MS ?? 6_000);
/** Time for the later work of a checkout, which counts with it. */
const SETTLE_MS = 3_000;
const PRODUCTS = 20;
/** A key may start a hundred payments an hour: after that the next shop, or the next operator, takes over. */
const PAYMENTS_MAX = 90;
const SHOPS = 50;
const PIECES = 1_000_000;
const PLACE = { latitude: -1.2683, longitude: 36.8111 };
const ADDRESS = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE', ...PLACE };
const EMAIL = 'ada@example.com';

interface Shop {
  readonly store: BenchStore;
  readonly variants: readonly string[];
}

interface Call {
  readonly key: string;
  readonly body?: unknown;
  readonly signWith?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const stack = await startStack({ postgres: STATISTICS_SETTINGS });
const connect = (url: string) =>
  connectPostgres({
    url,
    connectionsMax: 1,
    name: 'bench',
    log: createLog({ name: 'bench', level: 'warn' }),
    clock: systemClock(),
    seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
  });
const database = new URL(stack.databaseUrl);
const admin = connect(new URL('/postgres', database).toString());
print({ bench: 'machine', ...machine() });
try {
  const counter = await openCounter(admin.sql, database.pathname.slice(1));
  const edge = await stack.startEdge(128);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many endpoints
  const ask = async (method: string, path: string, { key, body, signWith, headers }: Call): Promise<any> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(edge.url + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        ...(signWith && { 'Idempotency-Key': randomUUID(), ...signatureHeaders(signWith, text ?? '') }),
        ...headers,
      },
      ...(text !== undefined && { body: text }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const openShop = async (): Promise<Shop> => {
    const store = await stack.createStore();
    const key = store.secret_test_key;
    const variants: string[] = [];
    for (let at = 0; at < PRODUCTS; at++) {
      const product = { name: `Thing ${at}`, price: 10, stock: PIECES, weight_grams: 100 };
      variants.push((await ask('POST', '/v1/products', { key, body: product })).variant_id);
    }
    const zones = [{ name: 'Kenya', kind: 'countries', countries: ['KE'], rate: { fee: 4.5 } }];
    await ask('PUT', '/v1/shipping/config', { key, body: { zones } });
    return { store, variants };
  };
  const shops: Shop[] = [];
  for (let count = 0; count < SHOPS; count++) shops.push(await openShop());
  const [shop, other] = shops as [Shop, Shop, ...Shop[]];
  const operatorKeys: string[] = [];
  for (let count = 0; count < SHOPS; count++) {
    const operator = await stack.client.call<{ operator_test_key: string }>('StoreAdmin/CreateOperator', NO_TENANT, {
      name: 'Bench',
      stores: [shop.store.store_id, other.store.store_id],
    });
    if (operator instanceof Refusal) throw new Error(operator.message);
    operatorKeys.push(operator.operator_test_key);
  }

  /** Each of them for as many payments as its key may begin. */
  const inTurn = <T>(all: readonly T[]): (() => T) => {
    let payments = 0;
    return () => {
      const next = all[Math.floor(payments++ / PAYMENTS_MAX)];
      if (next === undefined)
        throw new Error(`More than ${all.length * PAYMENTS_MAX} payments are begun: measure less.`);
      return next;
    };
  };
  const [payingShop, payingOperator] = [inTurn(shops), inTurn(operatorKeys)];

  let sequence = 0;
  const item = (of: Shop) => ({ variant_id: of.variants[sequence++ % PRODUCTS]!, quantity: 2 });
  const keysOf = ({ store }: Shop) => ({ key: store.secret_test_key, signWith: store.hmac_test_secret });
  const calculate = ({ store }: Shop) => {
    const body = { ...PLACE, country_code: 'KE', order_total: 20 };
    return ask('POST', '/v1/shipping/calculate', { key: store.secret_test_key, body });
  };
  const { options } = await calculate(shop);

  const ordered = async (of: Shop): Promise<{ id: string; amount_due: number }> => {
    const session_id = randomUUID();
    const { key } = keysOf(of);
    await ask('POST', '/v1/cart/items', { key, body: item(of), headers: { 'X-Session-Id': session_id } });
    await calculate(of);
    const body = { cart: true, session_id, email: EMAIL, shipping_address: ADDRESS };
    return (await ask('POST', '/v1/orders', { ...keysOf(of), body })).order;
  };
  const payByHand = ({ id }: { readonly id: string }) =>
    ask('PATCH', `/v1/orders/${id}`, { ...keysOf(shop), body: { payment_status: 'paid', note: id } });

  const sequences: Readonly<Record<string, () => Promise<unknown>>> = {
    'four calls, paid by hand': async () => payByHand(await ordered(shop)),
    'six calls, a simulated payment': async () => {
      const of = payingShop();
      const { key, signWith } = keysOf(of);
      const { id, amount_due: amount } = await ordered(of);
      const body = { provider: 'card_checkout', amount, email: EMAIL, order_id: id };
      const { reference } = await ask('POST', '/v1/payments/initialize', { key, signWith, body });
      await ask('POST', `/v1/sandbox/payments/${reference}`, { key, body: { outcome: 'succeed' } });
      const { order } = await ask('GET', `/v1/orders/${id}`, { key });
      if (order.payment_status !== 'paid') throw new Error(`The order is ${order.payment_status}.`);
    },
    'three calls, by an intent': async () => {
      const body = {
        items: [item(shop)],
        email: EMAIL,
        shipping_address: ADDRESS,
        shipping_option_id: options[0].id,
      };
      const { key } = keysOf(shop);
      const { data } = await ask('POST', '/v1/agent/checkout-intents', { key, body });
      const { order } = await ask('POST', '/v1/orders', { ...keysOf(shop), body: { checkout_intent_id: data.id } });
      await payByHand(order);
    },
    'split over two merchants': async () => {
      const lines = [shop, other].map((of) => ({ ...item(of), store_id: of.store.store_id }));
      const body = { lines, email: EMAIL, shipping_address: ADDRESS };
      const group = { key: payingOperator() };
      const { checkout } = await ask('POST', '/v1/cart/checkout', { ...group, body });
      const path = `/v1/cart/checkout/${checkout.group_id}/pay`;
      const { reference } = await ask('POST', path, { ...group, body: { provider: 'card_checkout' } });
      await ask('POST', `/v1/sandbox/payments/${reference}`, { ...group, body: { outcome: 'succeed' } });
    },
  };

  const run = async (sequence: () => Promise<unknown>, callers: number, durationMs: number): Promise<number[]> => {
    const tookMs: number[] = [];
    const until = performance.now() + durationMs;
    await Promise.all(
      Array.from({ length: callers }, async () => {
        while (performance.now() < until) {
          const from = performance.now();
          await sequence();
          tookMs.push(performance.now() - from);
        }
      }),
    );
    return tookMs;
  };

  await run(sequences['four calls, paid by hand']!, 16, WARM_MS);
  for (const [name, sequence] of Object.entries(sequences)) {
    for (const callers of CALLERS) {
      await run(sequence, callers, WARM_MS / 5);
      await Bun.sleep(SETTLE_MS);
      const idle = await counter.read();
      await Bun.sleep(SETTLE_MS);
      const [before, used] = [await counter.read(), usedBy(edge, stack.services)];
      const from = performance.now();
      const tookMs = await run(sequence, callers, MEASURED_MS);
      const elapsedMs = performance.now() - from;
      await Bun.sleep(SETTLE_MS);
      const [after, since] = [await counter.read(), usedBy(edge, stack.services)];
      const times = tookMs.length;
      const measured = { times, workMs: elapsedMs + SETTLE_MS, idleMs: SETTLE_MS };
      const { transactions, statements } = useBetween([idle, before, after], measured);
      const ms = (part: UsedPart): number => round((since[part] - used[part]) / times);
      print({
        bench: 'checkout',
        case: name,
        callers,
        per_second: round((times * 1_000) / elapsedMs, 1),
        p50_ms: round(quantile(tookMs, 0.5), 1),
        p99_ms: round(quantile(tookMs, 0.99), 1),
        edge_ms: ms('edge'),
        services_ms: ms('services'),
        postgres_ms: ms('postgres'),
        nats_ms: ms('nats'),
        transactions: round(transactions, 1),
        statements: round(statements, 1),
      });
    }
  }
} finally {
  await admin.close();
  await stack.stop();
}
