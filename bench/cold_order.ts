// Measures the first orders after a restart of the services: a few one by one, then 16 callers, by rate and processor time of
// each tenth of a second. The code is cold, or warmed by two seconds of orders at another store, the most that a process
// could do itself before it reports ready.
import { randomUUID } from 'node:crypto';
import { signatureHeaders } from '#services/cli/signing.ts';
import { print, round } from './figure.ts';
import { usedBy } from './processor_use.ts';
import { type BenchProcess, type BenchStore, startStack } from './stack.ts';

const CALLERS = 16;
/** Orders that come one by one before the callers do. */
const ALONE = 6;
const SLICE_MS = 100;
const SLICES = 20;
const WARM_MS = Number(process.env.WARM_MS ?? 2_000);
const RUNS = Number(process.env.RUNS ?? 3);
const PRODUCTS = 20;
const PIECES = 1_000_000;
const ADDRESS = { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE', latitude: -1.2683, longitude: 36.8111 };

interface Shop {
  readonly store: BenchStore;
  readonly variants: readonly string[];
}

const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const post = async ({ store }: Shop | { store: BenchStore }, path: string, body: object): Promise<Response> => {
    const text = JSON.stringify(body);
    const response = await fetch(`${edge.url}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${store.secret_test_key}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
        ...signatureHeaders(store.hmac_test_secret, text),
      },
      body: text,
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const openShop = async (): Promise<Shop> => {
    const store = await stack.createStore();
    const variants: string[] = [];
    for (let at = 0; at < PRODUCTS; at++) {
      const made = await post({ store }, '/v1/products', { name: `Thing ${at}`, price: 10, stock: PIECES });
      variants.push(((await made.json()) as { variant_id: string }).variant_id);
    }
    return { store, variants };
  };
  let sequence = 0;
  const order = async (shop: Shop): Promise<void> => {
    const items = [{ variant_id: shop.variants[sequence++ % PRODUCTS]!, quantity: 1 }];
    await (await post(shop, '/v1/orders', { items, email: 'ada@example.com', shipping_address: ADDRESS })).text();
  };
  /** How many orders 16 callers place until then. */
  const sellUntil = async (shop: Shop, untilMs: number): Promise<number> => {
    let sold = 0;
    const caller = async (): Promise<void> => {
      while (performance.now() < untilMs) {
        await order(shop);
        sold++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return sold;
  };
  const [shop, other] = [await openShop(), await openShop()];
  await sellUntil(shop, performance.now() + 8_000);

  const sliced = async (services: BenchProcess) => {
    const slices: { orders: number; services_ms: number; postgres_ms: number }[] = [];
    for (let at = 0; at < SLICES; at++) {
      const before = usedBy(edge, services);
      const orders = await sellUntil(shop, performance.now() + SLICE_MS);
      const after = usedBy(edge, services);
      slices.push({
        orders,
        services_ms: round((after.services - before.services) / orders, 1),
        postgres_ms: round((after.postgres - before.postgres) / orders, 1),
      });
    }
    return slices;
  };
  for (let run = 0; run < RUNS; run++)
    for (const warmed of [false, true]) {
      const services = await stack.restartServices();
      while ((await fetch(`${edge.url}/v1/health`)).status !== 200) await Bun.sleep(20);
      const warming = warmed ? await sellUntil(other, performance.now() + WARM_MS) : 0;
      const alone: number[] = [];
      for (let at = 0; at < ALONE; at++) {
        const from = performance.now();
        await order(shop);
        alone.push(round(performance.now() - from, 1));
      }
      const slices = await sliced(services);
      print({
        bench: 'cold_order',
        warmed,
        warming_orders: warming,
        first_orders_ms: alone.join(' '),
        orders_a_slice: slices.map(({ orders }) => orders).join(' '),
        services_ms_an_order: slices.map(({ services_ms }) => services_ms).join(' '),
        postgres_ms_an_order: slices.map(({ postgres_ms }) => postgres_ms).join(' '),
      });
    }
} finally {
  await stack.stop();
}
