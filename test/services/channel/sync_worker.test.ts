// Tests syncs of a catalogue to a channel: full push, changes, and failures of the channel.
import { createHmac } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { claimRows } from '#runtime/job/job.ts';
import { channelsToSync, markChannelsDue } from '#services/channel/table/channel.ts';
import { accepting, type Channel, startChannel } from '#test/services/channel/receiver.ts';
import { openShop, synced } from '#test/services/channel/shop.ts';
import { closeSandbox, openSandbox } from '#test/support/sandbox_lock.ts';
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

const open = async (): Promise<Channel> => {
  const channel = await startChannel();
  channels.push(channel);
  return channel;
};

describe('a channel', () => {
  test('receives all active products first, signed, then changes and deletions', async () => {
    const shop = await openShop(stoa);
    const lamp = await shop.product('Lamp');
    const chair = await shop.product('Chair');
    await shop.product('Draft', { is_active: false });
    const channel = await open();
    const { id, signing_secret } = await shop.connect(channel);
    await eventually(async () =>
      expect(await shop.events('channel.connected')).toMatchObject([{ id, provider: 'compass' }]),
    );
    await synced(shop, id);
    expect([...channel.received.keys()].sort()).toEqual([lamp, chair].sort());
    expect(channel.received.get(lamp)).toMatchObject({ name: 'Lamp', selling_price: 10, stock: 3 });
    const [push] = channel.pushes;
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(push!.headers['x-svc-signature']))!;
    expect(createHmac('sha256', signing_secret).update(`${t}.${push!.body}`).digest('hex')).toBe(v1);
    expect(await shop.read(id)).toMatchObject({ items_total: 2, items_pushed: 2, items_rejected: 0 });

    await shop.send('PATCH', `/v1/products/${lamp}`, { price: 12 });
    await eventually(() => expect(channel.received.get(lamp)).toMatchObject({ selling_price: 12 }));
    expect(channel.pushes.at(-1)!.lines).toHaveLength(1);

    await shop.send('PATCH', `/v1/products/${lamp}`, { is_active: false });
    await shop.send('DELETE', `/v1/products/${chair}`);
    await eventually(() => {
      expect(channel.received.get(lamp)).toMatchObject({ deleted: true });
      expect(channel.received.get(chair)).toMatchObject({ deleted: true });
    });
    expect(await shop.read(id)).not.toHaveProperty('signing_secret');
  });

  test('stays unchanged while its sandbox is being reset', async () => {
    const shop = await openShop(stoa);
    await shop.product('Lamp');
    const channel = await open();
    let answered = false;
    channel.answer = (push) => {
      answered = true;
      return { ...accepting()(push), hangMs: 300 };
    };
    const { id } = await shop.connect(channel);
    await eventually(() => expect(answered).toBe(true));
    const { postgres } = stoa.services.runtime;
    const tenant = { store: shop.keys.store_id, environment: 'sandbox' } as const;
    const version = async (): Promise<unknown> =>
      (await postgres.sql`select xmin::text as version from channel.channel where id = ${id}`)[0]!.version;
    await closeSandbox(postgres, tenant, 10_000);
    const before = await version();
    // The response, a change notice and the periodic check arrive.
    await markChannelsDue(postgres.sql, [{ tenant, now: new Date(0) }]);
    await Bun.sleep(1_200);
    expect(await version()).toBe(before);
    const real = new Date(Date.now() + 120_000);
    const claim = () =>
      claimRows(postgres.sql, channelsToSync, { real, until: new Date(), limit: 1, of: [{ tenant, now: real }] });
    expect(await claim()).toEqual([]);
    await openSandbox(postgres, tenant);
    expect(await claim()).toMatchObject([{ id }]);
  });

  test('lists rejected products and receives them again only after a change or in a full sync', async () => {
    const shop = await openShop(stoa);
    const names = ['Lamp', 'Chair', 'Table', 'Vase'];
    const ids = new Map(await Promise.all(names.map(async (name) => [name, await shop.product(name)] as const)));
    const channel = await open();
    channel.answer = accepting(({ name }) => (name === 'Chair' || name === 'Vase' ? `No ${name}s here.` : null));
    const { id } = await shop.connect(channel);
    await synced(shop, id);
    expect(await shop.events('channel.sync.completed')).toEqual([
      {
        id,
        provider: 'compass',
        name: 'Compass',
        status: 'completed_with_rejections',
        items_total: 4,
        items_pushed: 2,
        items_rejected: 2,
      },
    ]);
    const first = await shop.send('GET', `/v1/channels/${id}/rejections?limit=1`);
    const rest = await shop.send(
      'GET',
      `/v1/channels/${id}/rejections?limit=1&cursor=${first.body.pagination.next_cursor}`,
    );
    const rejections = [...first.body.rejections, ...rest.body.rejections];
    expect(new Map(rejections.map(({ product_id, message }) => [product_id, message]))).toEqual(
      new Map([
        [ids.get('Chair'), 'No Chairs here.'],
        [ids.get('Vase'), 'No Vases here.'],
      ]),
    );
    const before = channel.pushes.length;
    channel.answer = accepting();
    await shop.send('PATCH', `/v1/products/${ids.get('Lamp')}`, { price: 11 });
    await eventually(() => expect(channel.pushes.length).toBe(before + 1));
    expect(channel.pushes.at(-1)!.lines).toHaveLength(1);
    expect((await shop.send('POST', `/v1/channels/${id}/sync`)).status).toBe(202);
    await eventually(() => expect(channel.pushes.at(-1)!.lines).toHaveLength(4));
    await synced(shop, id, 2);
    expect((await shop.send('GET', `/v1/channels/${id}/rejections`)).body.rejections).toEqual([]);
  });

  test('receives nothing while paused, and all changes after resuming', async () => {
    const shop = await openShop(stoa);
    const lamp = await shop.product('Lamp');
    const channel = await open();
    const { id } = await shop.connect(channel);
    await synced(shop, id);
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'paused' });
    await shop.send('PATCH', `/v1/products/${lamp}`, { price: 13 });
    const before = channel.pushes.length;
    await Bun.sleep(1_500);
    expect(channel.pushes.length).toBe(before);
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'connected' });
    await eventually(() => expect(channel.received.get(lamp)).toMatchObject({ selling_price: 13 }));
    expect(channel.pushes.at(-1)!.lines).toHaveLength(1);
    // A full sync requested while paused starts after resuming.
    const chair = await shop.product('Chair');
    await eventually(() => expect(channel.received.has(chair)).toBe(true));
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'paused' });
    const received = channel.pushes.length;
    expect((await shop.send('POST', `/v1/channels/${id}/sync`)).status).toBe(202);
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'connected' });
    await eventually(() => expect(channel.pushes.slice(received).map(({ lines }) => lines.length)).toContain(2));
  });

  test('continues a push paused in the middle as soon as it is resumed', async () => {
    const shop = await openShop(stoa);
    const channel = await open();
    const { id } = await shop.connect(channel);
    await synced(shop, id);
    const accepts = channel.answer;
    channel.answer = (push) => ({ ...accepts(push), hangMs: 1_000 });
    const before = channel.pushes.length;
    const lamp = await shop.product('Lamp');
    await eventually(() => expect(channel.pushes.length).toBeGreaterThan(before));
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'paused' });
    await eventually(() => expect(channel.received.has(lamp)).toBe(true));
    channel.answer = accepts;
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'connected' });
    await shop.send('PATCH', `/v1/products/${lamp}`, { price: 13 });
    await eventually(() => expect(channel.received.get(lamp)).toMatchObject({ selling_price: 13 }));
  });

  test('delays no other channel when it hangs', async () => {
    const shops = [await openShop(stoa), await openShop(stoa), await openShop(stoa)];
    const hanging: Channel[] = [];
    for (const shop of shops) {
      await shop.product('Lamp');
      for (let count = 0; count < 8; count++) {
        const channel = await open();
        channel.answer = () => ({ hangMs: 60_000 });
        await shop.connect(channel);
        hanging.push(channel);
      }
    }
    // More hanging channels than concurrent syncs, beside a good one and another store.
    for (const shop of [shops[0]!, await openShop(stoa)]) {
      const chair = await shop.product('Chair');
      const channel = await open();
      await shop.connect(channel);
      await eventually(() => expect(channel.received.has(chair)).toBe(true));
    }
    expect(hanging.map(({ received }) => received.size)).toEqual(Array(24).fill(0));
  });

  test('receives changes made during a push', async () => {
    const shop = await openShop(stoa);
    const lamp = await shop.product('Lamp');
    const channel = await open();
    const accepts = channel.answer;
    channel.answer = (push) => ({ ...accepts(push), hangMs: 1_500 });
    await shop.connect(channel);
    await eventually(() => expect(channel.pushes.length).toBe(1));
    channel.answer = accepts;
    await shop.send('PATCH', `/v1/products/${lamp}`, { price: 13 });
    await eventually(() => expect(channel.received.get(lamp)).toMatchObject({ selling_price: 13 }));
  });

  test('receives everything again at a new URL or in a new format', async () => {
    const shop = await openShop(stoa);
    const lamp = await shop.product('Lamp');
    const [one, two] = [await open(), await open()];
    const { id } = await shop.connect(one);
    await synced(shop, id);
    await shop.send('PATCH', `/v1/channels/${id}`, { url: two.url, format: 'acp' });
    await eventually(() => expect(two.received.get(lamp)).toMatchObject({ id: lamp, title: 'Lamp' }));
  });

  test.each([
    ['fails', () => ({ status: 503 })],
    ['redirects', () => ({ status: 302 })],
    ['answers no JSON', () => ({ body: 'thanks' })],
    ['answers no results', () => ({ body: '{"ok":true}' })],
    ['answers ten megabytes', () => ({ body: JSON.stringify({ results: [], filling: 'x'.repeat(10 << 20) }) })],
    [
      'lies about other products',
      () => ({ body: JSON.stringify({ results: [{ product_id: crypto.randomUUID(), status: 'accepted' }] }) }),
    ],
  ] as const)('that %s is failing, says why, and gets all of it when it works again', async (_name, answer) => {
    const shop = await openShop(stoa);
    const lamp = await shop.product('Lamp');
    const channel = await open();
    channel.answer = answer;
    const { id } = await shop.connect(channel);
    await eventually(async () => {
      const { status, last_error, last_sync_at } = await shop.read(id);
      expect([status, typeof last_error, last_sync_at]).toEqual(['failing', 'string', null]);
    });
    expect(await shop.events('channel.sync.completed')).toEqual([]);
    channel.answer = accepting();
    channel.received.clear();
    // The first retry is due one minute later by the store's clock.
    await shop.send('POST', '/v1/sandbox/time-travel', { advance_seconds: 61 });
    await eventually(() => expect(channel.received.get(lamp)).toMatchObject({ name: 'Lamp' }));
    expect(await synced(shop, id)).toMatchObject({ last_error: null });
  });

  test('receives again only the products it did not answer for', async () => {
    const shop = await openShop(stoa);
    for (let at = 0; at < 10; at++) await shop.product(`Lamp ${at}`);
    const channel = await open();
    channel.answer = (push) => accepting()({ ...push, lines: push.lines.slice(0, 4) });
    const { id } = await shop.connect(channel);
    await eventually(async () =>
      expect((await shop.read(id)).last_error).toBe('The channel returned results for 4 of 10 products.'),
    );
    channel.answer = accepting();
    await shop.send('PATCH', `/v1/channels/${id}`, { status: 'connected' });
    await synced(shop, id);
    expect(channel.pushes.at(-1)!.lines).toHaveLength(6);
    expect(channel.received.size).toBe(10);
  });

  test('receives nothing after it is deleted during a push', async () => {
    const shop = await openShop(stoa);
    await shop.product('Lamp');
    const channel = await open();
    channel.answer = (push) => ({ ...accepting()(push), hangMs: 500 });
    const { id } = await shop.connect(channel);
    await eventually(() => expect(channel.pushes.length).toBe(1));
    expect((await shop.send('DELETE', `/v1/channels/${id}`)).body).toEqual({ deleted: true, id });
    expect((await shop.send('GET', `/v1/channels/${id}`)).status).toBe(404);
    await shop.product('Chair');
    await Bun.sleep(1_500);
    expect(channel.pushes.length).toBe(1);
  });
});

describe('invalid requests', () => {
  test.each([
    [{ provider: 'Compass!' }, 'provider'],
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{ format: 'csv' }, 'format'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: ' https://example.com/push' }, 'url'],
    [{ url: 'http://169.254.169.254/latest' }, 'url'],
    [{ url: 'https://10.0.0.1/push' }, 'url'],
    [{ url: 'https://user:secret@example.com/push' }, 'url'],
  ])('%j at %s', async (wrong, param) => {
    const shop = await openShop(stoa);
    const body = { provider: 'compass', name: 'Compass', url: 'https://example.com/push', format: 'stoa', ...wrong };
    const reply = await shop.send('POST', '/v1/channels', body);
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    expect((await shop.send('GET', '/v1/channels')).body.channels).toEqual([]);
  });

  test('refuses channels of another store', async () => {
    const [own, other] = [await openShop(stoa), await openShop(stoa)];
    const { id } = await own.connect(await open());
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/sync'],
      ['GET', '/rejections'],
    ] as const)
      expect((await other.send(method, `/v1/channels/${id}${path}`, method === 'PATCH' ? {} : undefined)).status).toBe(
        404,
      );
    expect((await stoa.send('GET', `/v1/channels/${id}`, { key: own.keys.secret_key })).status).toBe(404);
  });
});
