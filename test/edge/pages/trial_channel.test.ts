// The trial sales channel: accepted and rejected products; only sandboxes may connect it, by its exact address.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa?.stop());

const push = (body: string, type = 'application/x-ndjson'): Promise<Response> =>
  fetch(`${stoa.url}/sandbox/channel`, { method: 'POST', headers: { 'Content-Type': type }, body });

describe('a push', () => {
  test('answers each new, used, sold-out and deleted product of a push', async () => {
    const lines = [
      { product_id: 'a', name: 'Lamp', condition: 'new', total_stock: 3 },
      { product_id: 'b', name: 'Chair', condition: 'refurbished', total_stock: 3 },
      { product_id: 'c', name: 'Bag', variants: [{ condition: 'new' }, { condition: 'used' }], total_stock: 3 },
      { product_id: 'd', name: 'Vase', stock: 0 },
      { product_id: 'e', deleted: true },
      { itemGroupId: 'f', title: 'An offer' },
      { id: 'g', title: 'A product of a feed' },
    ];
    const response = await push(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as { results: { product_id: string; status: string }[] };
    expect(results.map(({ product_id, status }) => [product_id, status])).toEqual([
      ['a', 'accepted'],
      ['b', 'rejected'],
      ['c', 'rejected'],
      ['d', 'rejected'],
      ['e', 'accepted'],
      ['f', 'accepted'],
      ['g', 'accepted'],
    ]);
  });

  test.each([
    ['that is no JSON', 'lamp', 400],
    ['of a list', '[]', 400],
    ['of a line that is none', '{"product_id":"a"}\n7', 400],
    ['of nothing', '', 400],
    ['of six megabytes', `{"a":"${'x'.repeat(6 << 20)}"}`, 413],
  ])('%s is refused', async (_name, body, status) => {
    expect((await push(body)).status).toBe(status);
  });

  test('refuses another media type and another verb', async () => {
    expect((await push('{}', 'text/plain')).status).toBe(415);
    const read = await fetch(`${stoa.url}/sandbox/channel`);
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('a store', () => {
  const connect = (url: string, key: string, format = 'stoa') =>
    stoa.send('POST', '/v1/channels', { key, body: { provider: 'trial', name: 'Trial', url, format } });

  test.each([
    ['stoa', 2],
    // Google's names have a condition and no stock; ACP's have neither.
    ['google', 1],
    ['acp', 0],
  ])('tries it in its sandbox in the format %s', async (format, rejected) => {
    const shop = await stoa.createStore();
    const key = shop.secret_test_key;
    for (const [name, more] of [
      ['Lamp', { stock: 3 }],
      ['Vase', { stock: 0 }],
      ['Chair', { stock: 3, condition: 'used' }],
    ] as const)
      await stoa.send('POST', '/v1/products', { key, body: { name, price: 10, ...more } });
    const { body } = await connect(`${stoa.url}/sandbox/channel`, key, format);
    await eventually(async () => {
      const { channel } = (await stoa.send('GET', `/v1/channels/${body.channel.id}`, { key })).body;
      expect([channel.status, channel.format, channel.last_error]).toEqual(['connected', format, null]);
      expect(channel.items_pushed + channel.items_rejected).toBe(3);
      expect(channel.items_rejected).toBe(rejected);
    });
  });

  test.each(['/sandbox/channel/', '/sandbox/channel?x=1', '/sandbox/./channel', '/v1/products', ''])(
    'names nothing else of this machine: %s',
    async (path) => {
      const refused = await connect(`${stoa.url}${path}`, keys.secret_test_key);
      expect([refused.status, refused.body.error.param]).toEqual([400, 'url']);
    },
  );

  test('does not name it in production', async () => {
    const refused = await connect(`${stoa.url}/sandbox/channel`, keys.secret_key);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'url']);
  });
});
