// Tests requests to a channel while a batch is being sent.
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accepting, type Channel, startChannel } from '#test/services/channel/receiver.ts';
import { openShop, type Shop, synced } from '#test/services/channel/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
const channels: Channel[] = [];
beforeAll(async () => {
  stoa = await sharedStoa();
});
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
});

const HANG_MS = 1_000;

const openChannel = async (): Promise<Channel> => {
  const channel = await startChannel();
  channels.push(channel);
  return channel;
};

interface Underway {
  readonly shop: Shop;
  readonly channel: Channel;
  readonly id: string;
  readonly product: string;
}

/** A channel whose first push is unanswered; later pushes are answered at once. */
const underway = async (): Promise<Underway> => {
  const shop = await openShop(stoa);
  const product = await shop.product('Lamp');
  const channel = await openChannel();
  channel.answer = (push) => {
    channel.answer = accepting();
    return { ...accepting()(push), hangMs: HANG_MS };
  };
  const { id } = await shop.connect(channel);
  await eventually(() => expect(channel.pushes.length).toBe(1));
  return { shop, channel, id, product };
};

describe('during a push', () => {
  test('a requested sync sends the current batch again', async () => {
    const { shop, channel, id, product } = await underway();
    expect((await shop.send('POST', `/v1/channels/${id}/sync`)).status).toBe(202);
    await eventually(() => expect(channel.pushes.length).toBe(2));
    expect(channel.pushes[1]!.lines).toMatchObject([{ product_id: product }]);
    await synced(shop, id);
    expect(await shop.events('channel.sync.completed')).toMatchObject([{ items_total: 1, items_pushed: 1 }]);
  });

  test('a channel with a new URL receives everything there, and counts its items once', async () => {
    const { shop, channel, id, product } = await underway();
    const elsewhere = await openChannel();
    expect((await shop.send('PATCH', `/v1/channels/${id}`, { url: elsewhere.url })).status).toBe(200);
    await eventually(() => expect(elsewhere.received.get(product)).toMatchObject({ name: 'Lamp' }));
    await synced(shop, id);
    expect(channel.pushes).toHaveLength(1);
    expect(await shop.events('channel.sync.completed')).toMatchObject([{ items_total: 1, items_pushed: 1 }]);
  });

  test('a channel with a new format receives everything in it', async () => {
    const { shop, channel, id, product } = await underway();
    expect((await shop.send('PATCH', `/v1/channels/${id}`, { format: 'acp' })).status).toBe(200);
    await eventually(() => expect(channel.received.get(product)).toMatchObject({ title: 'Lamp' }));
    await synced(shop, id);
    expect(channel.pushes.map(({ headers }) => headers['x-svc-channel-format'])).toEqual(['stoa', 'acp']);
  });

  test('a renamed channel keeps the result of the push, published under its new name', async () => {
    const { shop, channel, id } = await underway();
    expect((await shop.send('PATCH', `/v1/channels/${id}`, { name: 'Sextant' })).status).toBe(200);
    await synced(shop, id);
    expect(await shop.events('channel.sync.completed')).toMatchObject([
      { name: 'Sextant', items_total: 1, items_pushed: 1 },
    ]);
    expect(channel.pushes).toHaveLength(1);
    expect(await shop.read(id)).toMatchObject({ items_total: 1, items_pushed: 1, items_rejected: 0 });
  });
});

test.each([
  ['cut off in the middle of a character', `${'x'.repeat(499)}🛋`],
  ['sent as half a character', 'Sofa \ud83d'],
])('a reason %s is kept without the half', async (_name, reason) => {
  const shop = await openShop(stoa);
  await shop.product('Sofa');
  const channel = await openChannel();
  channel.answer = accepting(() => reason);
  const { id } = await shop.connect(channel);
  await synced(shop, id);
  const { rejections } = (await shop.send('GET', `/v1/channels/${id}/rejections`)).body;
  expect(rejections).toMatchObject([{ message: reason.slice(0, 500).toWellFormed() }]);
});
