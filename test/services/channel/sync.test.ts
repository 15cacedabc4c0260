// Applies random changes to a catalogue and failures to its channel; in the end the channel has the current catalogue.
// STOA_SEED selects another run.
import { afterEach, beforeAll, expect, test } from 'vitest';
import { accepting, type Channel, type Push, startChannel } from '#test/services/channel/receiver.ts';
import { Chance } from '#test/simulation/world.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const SEED = Number(process.env.STOA_SEED ?? 20_261_126);
const STEPS = 70;

let stoa: Stoa;
let channel: Channel;
beforeAll(async () => {
  stoa = await sharedStoa();
  channel = await startChannel();
});
afterEach(() => channel.close());

test(`a channel ends up with the current catalogue after random changes and failures (STOA_SEED=${SEED})`, async () => {
  const chance = new Chance(SEED);
  const keys = await stoa.createStore({ plan: 'enterprise' });
  const send = (method: string, path: string, body?: unknown, signWith?: string) =>
    stoa.send(method, path, { key: keys.secret_test_key, body, ...(signWith && { signWith }) });
  const done = async (method: string, path: string, body?: unknown, signWith?: string) => {
    const reply = await send(method, path, body, signWith);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const products: { id: string; variant: string }[] = [];
  const make = async () => {
    const shipping_info = { requires_shipping: false };
    const body = { name: `Thing ${products.length}`, price: chance.between(1, 90), stock: 40, shipping_info };
    const { id, variant_id } = await done('POST', '/v1/products', body);
    products.push({ id, variant: variant_id });
  };
  for (let count = 0; count < 12; count++) await make();
  const { id } = (
    await done('POST', '/v1/channels', { provider: 'compass', name: 'Compass', url: channel.url, format: 'stoa' })
  ).channel;
  const set = (status: string) => send('PATCH', `/v1/channels/${id}`, { status });
  const ANSWERS = [
    accepting(),
    accepting(),
    accepting(({ name }) => (String(name).endsWith('3') ? 'No threes.' : null)),
    () => ({ status: 500 }),
    () => ({ status: 200, body: 'not JSON' }),
    (push: Push) => ({ ...accepting()(push), hangMs: 150 }),
  ];
  const steps: readonly (() => Promise<unknown>)[] = [
    make,
    () => send('PATCH', `/v1/products/${chance.pick(products).id}`, { price: chance.between(1, 90) }),
    () => send('PATCH', `/v1/products/${chance.pick(products).id}`, { name: `Renamed ${chance.between(1, 9)}` }),
    () => send('PATCH', `/v1/products/${chance.pick(products).id}`, { is_active: chance.happens(0.5) }),
    () => send('DELETE', `/v1/products/${chance.pick(products).id}`),
    () =>
      send('POST', '/v1/inventory/adjustments', {
        variant_id: chance.pick(products).variant,
        delta: chance.between(-3, 5),
        reason: 'correction',
      }),
    () =>
      send(
        'POST',
        '/v1/orders',
        {
          items: [{ variant_id: chance.pick(products).variant, quantity: 1 }],
          email: 'ada@example.com',
        },
        keys.hmac_test_secret,
      ),
    () => set('paused'),
    () => set('connected'),
    async () => {
      channel.answer = chance.pick(ANSWERS);
    },
    () => new Promise((resolve) => setTimeout(resolve, chance.between(0, 300))),
  ];
  for (let step = 0; step < STEPS; step++) {
    // Some changes are concurrent.
    const several = Array.from({ length: chance.between(1, 3) }, () => chance.pick(steps));
    await Promise.all(several.map((each) => each()));
  }
  channel.answer = accepting();
  await set('paused');
  await set('connected');
  await eventually(async () => {
    const listed = await stoa.send('GET', '/v1/products?limit=100', { key: keys.publishable_test_key });
    const active: Record<string, unknown>[] = listed.body.products;
    const there = active.map(({ id: of, name, price, stock }) => [of, [name, price, stock]]);
    const received = [...channel.received]
      .filter(([, line]) => !line.deleted)
      .map(([of, line]) => [of, [line.name, line.selling_price, line.stock]]);
    expect(Object.fromEntries(received)).toEqual(Object.fromEntries(there));
  }, 60_000);
  expect((await done('GET', `/v1/channels/${id}`)).channel.status).toBe('connected');
});
