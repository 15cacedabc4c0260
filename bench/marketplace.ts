// Measures a marketplace. A checkout over five merchants against five single orders; a section of a hundred products from the
// edge against a constant of the same size without gates; a store that is a merchant against one that is not, with the same
// orders and reads.
import { randomUUID } from 'node:crypto';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { signatureHeaders } from '#services/cli/signing.ts';
import { constantPath } from './constant.ts';
import { getRequest, load, postRequest } from './load.ts';
import { type BenchStore, processorMs, startStack } from './stack.ts';

/** Each there and back. */
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const DURATION_MS = Number(process.env.DURATION_MS ?? 2_000);
const WARM_MS = Number(process.env.WARM_MS ?? 5_000);
const MERCHANTS = 5;
const PRODUCTS = 20;
const PIECES = 1_000_000;
/** Callers of reads, and of orders that come at once. */
const CONNECTIONS = 32;
const ADDRESS = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
const EMAIL = 'ada@example.com';

interface Shop {
  readonly store: BenchStore;
  readonly products: readonly { readonly id: string; readonly variant_id: string }[];
}

interface Measure {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly servicesUs: number;
}

interface Kind {
  readonly name: string;
  readonly connections: number;
  readonly status: number;
  readonly next: () => ReturnType<typeof postRequest>;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
};
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const send = async <T>(method: string, path: string, key: string, body: object): Promise<T> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(edge.url + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<T>;
  };
  const openShop = async (): Promise<Shop> => {
    const store = await stack.createStore();
    const products: Shop['products'][number][] = [];
    for (let at = 0; at < PRODUCTS; at++)
      products.push(
        await send('POST', '/v1/products', store.secret_key, {
          name: `Thing ${at}`,
          price: 10,
          stock: PIECES,
          shipping_info: { requires_shipping: false },
        }),
      );
    return { store, products };
  };
  const merchants: Shop[] = [];
  for (let count = 0; count < MERCHANTS; count++) merchants.push(await openShop());
  const alone = await openShop();
  const operator = await stack.client.call<{ operator_key: string }>('StoreAdmin/CreateOperator', NO_TENANT, {
    name: 'Bench',
    stores: merchants.map(({ store }) => store.store_id),
  });
  if (operator instanceof Refusal) throw new Error(operator.message);
  const key = { Authorization: `Bearer ${operator.operator_key}` };

  const path = '/v1/marketplace/collections/bench';
  await send('PUT', path, operator.operator_key, {
    name: 'Bench',
    placement_kind: 'product',
    items: merchants.flatMap(({ store, products }) =>
      products.map(({ id }) => ({ merchant_store_id: store.store_id, product_id: id })),
    ),
  });
  const bytes = (await (await fetch(edge.url + path, { headers: key })).arrayBuffer()).byteLength;

  let sequence = 0;
  const variantOf = ({ products }: Shop): string => products[sequence % PRODUCTS]!.variant_id;
  const order = (shop: Shop) => {
    // A second order with the same body and timestamp has the same signature, and is refused.
    const body = JSON.stringify({
      note: String(sequence++),
      items: [{ variant_id: variantOf(shop), quantity: 1 }],
      email: EMAIL,
      shipping_address: ADDRESS,
    });
    const { secret_key, hmac_secret } = shop.store;
    const headers = { Authorization: `Bearer ${secret_key}`, 'Idempotency-Key': randomUUID() };
    return postRequest('/v1/orders', { ...headers, ...signatureHeaders(hmac_secret, body) }, body);
  };
  const checkout = () => {
    sequence++;
    const body = JSON.stringify({
      lines: merchants.map((shop) => ({
        store_id: shop.store.store_id,
        variant_id: variantOf(shop),
        quantity: 1,
      })),
      email: EMAIL,
      shipping_address: ADDRESS,
    });
    return postRequest('/v1/cart/checkout', { ...key, 'Idempotency-Key': randomUUID() }, body);
  };
  const readOf = ({ store, products }: Shop) => {
    const requests = products.map(({ id }) =>
      getRequest(`/v1/products/${id}`, { Authorization: `Bearer ${store.publishable_key}` }),
    );
    return () => requests[sequence++ % PRODUCTS]!;
  };
  const merchant = merchants[0]!;
  const [constant, section] = [getRequest(constantPath(bytes), key), getRequest(path, key)];
  const kinds: readonly Kind[] = [
    {
      name: 'orders one after another',
      connections: 1,
      status: 201,
      next: () => order(merchants[sequence % MERCHANTS]!),
    },
    { name: 'checkouts one after another', connections: 1, status: 201, next: checkout },
    { name: 'constant', connections: CONNECTIONS, status: 200, next: () => constant },
    { name: 'section', connections: CONNECTIONS, status: 200, next: () => section },
    { name: 'orders of a store', connections: CONNECTIONS, status: 201, next: () => order(alone) },
    { name: 'orders of a merchant', connections: CONNECTIONS, status: 201, next: () => order(merchant) },
    { name: 'reads of a store', connections: CONNECTIONS, status: 200, next: readOf(alone) },
    { name: 'reads of a merchant', connections: CONNECTIONS, status: 200, next: readOf(merchant) },
  ];
  const { hostname, port } = new URL(edge.url);
  const target = { host: hostname, port: Number(port) };
  const measure = async ({ connections, status, next }: Kind, durationMs: number): Promise<Measure> => {
    const before = await processorMs(stack.services.pid);
    const result = await load({ target, connections, durationMs, next, expected: new Set([status]) });
    const servicesMs = (await processorMs(stack.services.pid)) - before;
    const { perSecond, p50Ms, requests, unexpected } = result;
    if (unexpected > 0) throw new Error(`${unexpected} of ${requests} answers were not ${status}.`);
    return { perSecond, p50Ms, servicesUs: (servicesMs * 1_000) / requests };
  };

  const runs = new Map<string, Measure[]>(kinds.map(({ name }) => [name, []]));
  for (const kind of kinds) await measure(kind, WARM_MS);
  // Every round runs forward and back, so that a case's later work falls on each neighbour equally. Orders leave events to
  // publish; the median of an odd number of rounds would favour one direction.
  for (let time = 0; time < ROUNDS; time++)
    for (const kind of [...kinds, ...kinds.toReversed()]) runs.get(kind.name)?.push(await measure(kind, DURATION_MS));
  const of = (name: string, part: keyof Measure): number => median((runs.get(name) ?? []).map((run) => run[part]));
  for (const [name, reference, asked, share] of [
    ['checkouts one after another', 'orders one after another', 0.4, 1 / MERCHANTS],
    ['section', 'constant', 0.5, 1],
    ['orders of a merchant', 'orders of a store', 0.95, 1],
    ['reads of a merchant', 'reads of a store', 0.95, 1],
  ] as const)
    process.stdout.write(
      `${JSON.stringify({
        bench: 'marketplace',
        case: name,
        ratio: round(of(name, 'perSecond') / (of(reference, 'perSecond') * share)),
        asked,
        per_second: round(of(name, 'perSecond'), 1),
        reference_per_second: round(of(reference, 'perSecond') * share, 1),
        p50_ms: round(of(name, 'p50Ms')),
        services_us: round(of(name, 'servicesUs'), 1),
        ...(name === 'section' ? { bytes } : {}),
      })}\n`,
    );
} finally {
  await stack.stop();
}
