// The language of a channel: texts of its pushes, what changes them, and languages that the store does not have.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Channel, startChannel } from '#test/services/channel/receiver.ts';
import { openShop, type Shop, synced } from '#test/services/channel/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: Shop;
let channel: Channel;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  shop = await openShop(stoa);
  channel = await startChannel();
  await setLanguages('de', 'fr');
});
afterEach(() => channel.close());

const setLanguages = async (...languages: readonly string[]): Promise<void> => {
  const reply = await stoa.send('PATCH', '/v1/store', { key: shop.keys.secret_key, body: { languages } });
  expect(reply.status, reply.text).toBe(200);
};
const bowl = () => shop.product('Bowl', { description: 'Deep.', translations: { de: { name: 'Schale' } } });
const receives = (product: string, name: string) =>
  eventually(async () => expect(channel.received.get(product)?.name).toBe(name));
const change = (id: string, body: object) => shop.send('PATCH', `/v1/channels/${id}`, body);

describe('a channel with a language', () => {
  test('receives each text in it, else in the default one, without the translations', async () => {
    const [translated, plain] = [await bowl(), await shop.product('Plate')];
    const { id } = await shop.connect(channel, { language: 'DE' });
    await synced(shop, id);
    expect(channel.received.get(translated)).toMatchObject({ name: 'Schale', description: 'Deep.', price: 10 });
    expect(channel.received.get(translated)).not.toHaveProperty('translations');
    expect(channel.received.get(plain)?.name).toBe('Plate');
    expect((await shop.read(id)).language).toBe('de');
  });

  test('receives a product again when its translation changes, and channels of other languages do not', async () => {
    const product = await bowl();
    const english = await startChannel();
    try {
      const { id } = await shop.connect(channel, { language: 'de' });
      const { id: other } = await shop.connect(english);
      await Promise.all([synced(shop, id), synced(shop, other)]);
      expect(english.received.get(product)?.name).toBe('Bowl');
      const before = english.pushes.length;
      await shop.send('PATCH', `/v1/products/${product}`, { translations: { fr: { name: 'Bol' } } });
      await shop.send('PATCH', `/v1/products/${product}`, { translations: { de: { name: 'Schüssel' } } });
      await receives(product, 'Schüssel');
      await shop.send('PATCH', `/v1/products/${product}`, { name: 'Big bowl' });
      await eventually(async () => expect(english.received.get(product)?.name).toBe('Big bowl'));
      const names = english.pushes.slice(before).flatMap(({ lines }) => lines.map(({ name }) => name));
      expect(names.filter((name) => name === 'Schüssel' || name === 'Bol')).toEqual([]);
    } finally {
      english.close();
    }
  });

  test('receives the whole catalogue again when its language changes', async () => {
    const product = await bowl();
    const { id } = await shop.connect(channel);
    await receives(product, 'Bowl');
    expect((await change(id, { language: 'de' })).body.channel.language).toBe('de');
    await receives(product, 'Schale');
    expect((await change(id, { language: null })).body.channel.language).toBeNull();
    await receives(product, 'Bowl');
  });

  test('receives the default texts when the store drops the language', async () => {
    const product = await bowl();
    const { id } = await shop.connect(channel, { language: 'de' });
    await receives(product, 'Schale');
    await setLanguages('fr');
    await shop.send('POST', `/v1/channels/${id}/sync`);
    await receives(product, 'Bowl');
  });

  test.each([
    ['sv', 'none of the store'],
    ['klingon', 'language'],
    ['*', 'language'],
  ])('refuses %s as its language, and stays as it was', async (language, message) => {
    const { id } = await shop.connect(channel, { language: 'en' });
    const before = await shop.read(id);
    expect(before.language).toBeNull();
    const reply = await change(id, { language, name: 'Other' });
    expect([reply.status, reply.body.error.param]).toEqual([400, 'language']);
    expect(reply.body.error.message).toContain(message);
    expect(await shop.read(id)).toMatchObject({ name: before.name, language: null });
    const body = { provider: 'compass', name: 'C', url: channel.url, format: 'stoa', language };
    expect((await shop.send('POST', '/v1/channels', body)).status).toBe(400);
  });
});
