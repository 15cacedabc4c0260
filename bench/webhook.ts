// Measures the time from a change to its webhook: from the commit to the first attempt at 200 events a second, the cost of
// silent receivers for others, and the memory of 10,000 endpoints.
import { median, print, round } from './figure.ts';
import { residentMb, startStack } from './stack.ts';

const PER_SECOND = Number(process.env.PER_SECOND ?? 200);
const SECONDS = Number(process.env.SECONDS ?? 20);
const STORES = 20;
/** Every fifth hangs. */
const HANGING_EVERY = 5;
const ENDPOINTS = Number(process.env.ENDPOINTS ?? 10_000);
const ENDPOINTS_PER_STORE = 250;
const CALLERS = 16;
const SETTLE_MS_MAX = 120_000;

process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
const stack = await startStack();
const edge = await stack.startEdge(32);

/** Milliseconds between the moment an event was written and its first arrival. */
let delays: number[] = [];
let arrived = new Set<string>();
let hanging = 0;
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 60,
  fetch: async (request) => {
    const now = Date.now();
    if (new URL(request.url).pathname === '/hang') {
      hanging++;
      return new Promise<Response>(() => {});
    }
    const event = (await request.json()) as { id: string; created_at: string };
    const name = `${request.url} ${event.id}`;
    if (!arrived.has(name)) delays.push(now - Date.parse(event.created_at));
    arrived.add(name);
    return new Response('');
  },
});

const call = async <T>(method: string, path: string, key: string, body: unknown): Promise<T> => {
  const response = await fetch(`${edge.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
};

interface Shop {
  readonly key: string;
  readonly collection: string;
}

const openShop = async (): Promise<Shop> => {
  const { secret_test_key: key } = (await stack.createStore()) as unknown as { secret_test_key: string };
  const made = await call<{ collection: { id: string } }>('POST', '/v1/product-collections', key, { name: 'C' });
  return { key, collection: made.collection.id };
};

const listen = (key: string, path: string): Promise<unknown> =>
  call('POST', '/v1/webhook-endpoints', key, { url: `${receiver.url}${path}`, events: ['collection.updated'] });

let names = 0;
const happen = ({ key, collection }: Shop): Promise<unknown> =>
  call('PATCH', `/v1/product-collections/${collection}`, key, { name: `C ${names++}` });

const each = async <T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) await run(items[at]!);
  };
  await Promise.all(Array.from({ length: CALLERS }, work));
};

const settled = async (count: number): Promise<void> => {
  const until = performance.now() + SETTLE_MS_MAX;
  while (arrived.size < count && performance.now() < until) await Bun.sleep(50);
};

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

/** Sends events at a steady rate, without waiting for them; answers the waits of the healthy receivers. */
const steady = async (shops: readonly Shop[], healthy: number): Promise<{ p50: number; p99: number; lost: number }> => {
  delays = [];
  arrived = new Set();
  const count = PER_SECOND * SECONDS;
  const startedAt = performance.now();
  const calls: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    const wait = startedAt + (n * 1_000) / PER_SECOND - performance.now();
    if (wait > 0) await Bun.sleep(wait);
    calls.push(happen(shops[n % shops.length]!));
  }
  await Promise.all(calls);
  const expected = (count * healthy) / shops.length;
  await settled(expected);
  return { p50: median(delays), p99: percentile(delays, 0.99), lost: expected - arrived.size };
};

const open = async (hangs: (at: number) => boolean): Promise<Shop[]> => {
  const shops: Shop[] = [];
  for (let at = 0; at < STORES; at++) {
    const shop = await openShop();
    await listen(shop.key, hangs(at) ? 'hang' : 'well');
    shops.push(shop);
  }
  return shops;
};

const healthy = await open(() => false);
// The first events find everything cold.
await each(healthy, happen);
await settled(STORES);
const alone = await steady(healthy, STORES);
print({ bench: 'webhook', case: 'all receivers answer', events_per_second: PER_SECOND, ...alone });

const mixed = await open((at) => at % HANGING_EVERY === 0);
const beside = await steady(mixed, STORES - STORES / HANGING_EVERY);
print({
  bench: 'webhook',
  case: `every ${HANGING_EVERY}th receiver hangs`,
  events_per_second: PER_SECOND,
  ...beside,
  p99_to_alone: round(beside.p99 / alone.p99),
  attempts_hanging: hanging,
});

const before = await residentMb(stack.services.pid);
const shops: Shop[] = [];
for (let at = 0; at < ENDPOINTS / ENDPOINTS_PER_STORE; at++) shops.push(await openShop());
await each(
  shops.flatMap(({ key }) => Array.from({ length: ENDPOINTS_PER_STORE }, (_, at) => ({ key, at }))),
  ({ key, at }) => listen(key, `well/${at}`),
);
const made = await residentMb(stack.services.pid);
const rounds: number[] = [];
for (let round = 1; round <= 3; round++) {
  delays = [];
  arrived = new Set();
  await each(shops, happen);
  await settled(ENDPOINTS);
  rounds.push(await residentMb(stack.services.pid));
}
print({
  bench: 'webhook',
  case: 'many endpoints',
  endpoints: ENDPOINTS,
  lost: ENDPOINTS - arrived.size,
  mb_before: round(before, 0),
  mb_made: round(made, 0),
  mb_after_each_round: rounds.map((mb) => round(mb, 0)),
});
await receiver.stop(true);
await stack.stop();
