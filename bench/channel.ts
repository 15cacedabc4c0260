// How quickly a catalogue is at a channel: 19,406 products of which a fifth is rejected, to a receiver that answers at once;
// what that takes of memory; and what one change costs afterwards, beside a store without a channel.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catalogueRows, push } from './catalogue.ts';
import { processorMs, residentMb, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 6);
/** Products a second to reach. */
const GOAL = 2_000;
const LATE_MS = 60_000;
const CHANGES = 20;
/** Each change is gathered and told for itself. */
const INTERVAL_MS = 1_500;

process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
const stack = await startStack();
let pushCount = 0;
const receiver = createServer(async (request, response) => {
  pushCount++;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const results = Buffer.concat(chunks)
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line, at) => {
      const { product_id } = JSON.parse(line) as { product_id: string };
      return at % 5 === 0 ? { product_id, status: 'rejected', message: 'No.' } : { product_id, status: 'accepted' };
    });
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
try {
  const edge = await stack.startEdge(16);
  const made = await stack.createStore();
  // The sandbox's keys: they alone may name this machine.
  const store = { ...made, secret_key: made.secret_test_key, hmac_secret: made.hmac_test_secret };
  await push(edge.url, store, await catalogueRows());
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${edge.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as {
      readonly channel: { id: string; last_sync_at: string | null; items_rejected: number };
      readonly products?: readonly { id: string }[];
    };
  };
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const products = (await catalogueRows()).length;
  const before = await residentMb(stack.services.pid);
  let from = performance.now();
  const { id } = (await call('POST', '/v1/channels', { provider: 'bench', name: 'Bench', url, format: 'stoa' }))
    .channel;
  const rates: number[] = [];
  const memory: number[] = [];
  let last: string | null = null;
  for (let at = 0; at < ROUNDS; at++) {
    for (let most = 0; ; ) {
      const { channel } = await call('GET', `/v1/channels/${id}`);
      most = Math.max(most, await residentMb(stack.services.pid));
      if (performance.now() - from > LATE_MS) throw new Error('A full push took more than a minute.');
      if (channel.last_sync_at !== last) {
        memory.push(Math.round(most));
        last = channel.last_sync_at;
        break;
      }
      await Bun.sleep(50);
    }
    rates.push(Math.round(products / ((performance.now() - from) / 1_000)));
    from = performance.now();
    if (at < ROUNDS - 1) await call('POST', `/v1/channels/${id}/sync`);
  }
  const { channel } = await call('GET', `/v1/channels/${id}`);
  const [product] = (await call('GET', '/v1/products?limit=1')).products!;
  /** Processor time of all services, of a change and of what follows from it. */
  const changeMs = async (price: number): Promise<number> => {
    const used = await processorMs(stack.services.pid);
    for (let at = 0; at < CHANGES; at++) {
      await call('PATCH', `/v1/products/${product!.id}`, { price: price + at });
      await Bun.sleep(INTERVAL_MS);
    }
    return Math.round(((await processorMs(stack.services.pid)) - used) / CHANGES);
  };
  const pushes = pushCount;
  const change_ms = await changeMs(100);
  const change_pushes = pushCount - pushes;
  await call('PATCH', `/v1/channels/${id}`, { status: 'paused' });
  const change_ms_paused = await changeMs(200);
  const line = {
    bench: 'channel',
    products,
    rejected: channel.items_rejected,
    products_a_second: rates,
    slowest_over_goal: Number((Math.min(...rates) / GOAL).toFixed(2)),
    services_mb_before: Math.round(before),
    services_mb_by_push: memory,
    // The first push has the catalogue rendered and caches filled: from the second on memory is to be flat.
    memory_last_over_second: Number((memory.at(-1)! / memory[1]!).toFixed(2)),
    ...{ changes: CHANGES, change_pushes, change_ms, change_ms_paused },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
} finally {
  receiver.close();
  await stack.stop();
}
