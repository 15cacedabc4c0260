// Two assistants at a shop: what they leave behind, once, however often they are sent.
import { beforeAll, expect, test } from 'vitest';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { seedAssistants } from '#services/cli/demo/assistant.ts';
import { Client } from '#services/cli/demo/client.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('one has bought, one has left its checkout to the buyer', async () => {
  const { secret_test_key: key } = await stoa.createStore();
  for (const name of ['Planting Trowel', 'Brass Plant Mister'])
    await stoa.send('POST', '/v1/products', { key, body: { name, price: 10, stock: 5 } });
  const store = new Client(stoa.url, key);
  for (let times = 0; times < 2; times++) {
    await seedAssistants(store);
    const { body } = await stoa.send('GET', '/v1/agent/checkout-intents', { key });
    expect(body.data.map(({ agent, status }: CheckoutIntent) => [agent, status])).toEqual([
      [{ name: 'Magpie/2.3', protocol: 'acp' }, 'open'],
      [{ name: 'Parrot/1.0', protocol: 'acp' }, 'completed'],
    ]);
    const { orders } = (await stoa.send('GET', '/v1/orders', { key })).body;
    expect(orders).toMatchObject([
      { id: body.data[1].order_id, payment_status: 'paid', agent: { name: 'Parrot/1.0', protocol: 'acp' } },
    ]);
  }
});
