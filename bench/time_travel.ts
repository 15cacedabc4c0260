// A sandbox jumps thirty days over a thousand things that fall due: how long that takes, and what one thing costs. Once
// with no endpoint, once with an endpoint that hears of every event.
import { print, round } from './figure.ts';
import { startStack } from './stack.ts';

const DAYS = 30;
const THINGS = Number(process.env.THINGS ?? 1_000);
const CALLERS = 8;
const DAY_MS = 86_400_000;

process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
const stack = await startStack();
const edge = await stack.startEdge(32);
let delivered = 0;
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    delivered++;
    return new Response('');
  },
});

const open = async () => {
  const { secret_test_key: key } = (await stack.createStore()) as { secret_test_key?: string };
  return async <T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> => {
    const response = await fetch(`${edge.url}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
};

const each = async (count: number, run: (n: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await run(n);
  };
  await Promise.all(Array.from({ length: CALLERS }, work));
};

/** Holds, carts, gift cards and promotions that begin and end, each at another time. */
const furnish = async (post: Awaited<ReturnType<typeof open>>): Promise<number> => {
  const product = await post<{ variant_id: string }>('/v1/products', { name: 'Lamp', price: 20, stock: 1_000_000 });
  const now = Date.now();
  const at = (n: number, of: number): string => new Date(now + 60_000 + (n * (DAYS - 1) * DAY_MS) / of).toISOString();
  const part = Math.floor(THINGS / 4);
  await each(part, () =>
    post('/v1/agent/checkout-intents', { items: [{ variant_id: product.variant_id, quantity: 1 }] }),
  );
  await each(part, (n) => post('/v1/gift-cards', { amount: 10, expires_at: at(n, part) }));
  await each(part, (n) =>
    post('/v1/promotions', {
      name: `P ${n}`,
      type: 'percentage',
      value: 1,
      status: 'scheduled',
      starts_at: at(n, part),
      ends_at: at(n + 1, part),
    }),
  );
  return 4 * part;
};

for (const listened of [false, true]) {
  const post = await open();
  if (listened) await post('/v1/webhook-endpoints', { url: receiver.url.href, events: ['*'] });
  const due = await furnish(post);
  // The jump's later work ends first.
  await post('/v1/sandbox/time-travel', { advance_seconds: 1 });
  delivered = 0;
  const startedAt = performance.now();
  const { fired } = await post<{ fired: { type: string; count: number }[] }>('/v1/sandbox/time-travel', {
    advance_seconds: DAYS * 86_400,
  });
  const ms = performance.now() - startedAt;
  print({
    bench: 'time_travel',
    case: listened ? 'with an endpoint that hears of everything' : 'with no endpoint',
    days: DAYS,
    due,
    fired: fired.reduce((sum, { count }) => sum + count, 0),
    delivered,
    ms: round(ms),
    ms_a_thing: round(ms / due, 2),
  });
}
await receiver.stop(true);
await stack.stop();
