// An acknowledged write is read back by the next request through the same edge. Store settings follow that rule too, in every
// cached answer that shows them.
import { beforeAll, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

/** Repetitions of a race that fails once in a few times. */
const ROUNDS = 25;

let stoa: Stoa;
let shop: Merchant;
let product: string;
let trial: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa);
  product = (await shop.createProduct({ price: 10 })).id;
  trial = (await shop.test('POST', '/v1/products', { name: 'Trial', price: 1 })).body.id;
});

const update = async (change: object): Promise<void> => {
  const { status, text } = await shop.secret('PATCH', '/v1/store', change);
  expect(status, text).toBe(200);
};
const feed = (name: string) => stoa.send('GET', `/v1/feeds/${shop.keys.code}/${name}`);

test('a feed that is switched off is gone with the answer, and back with the next one', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const on of [true, false]) {
      await update({ feeds: { llms_enabled: on, products_enabled: on } });
      // Twice: the second may be what the first one left behind.
      for (const name of ['llms.txt', 'products.json', 'products.xml', 'llms.txt', 'products.json', 'products.xml'])
        expect((await feed(name)).status, `${name} in round ${round}`).toBe(on ? 200 : 404);
    }
  }
});

test('a new description, name and address stand in the feeds', async () => {
  await update({ feeds: { llms_enabled: true, products_enabled: true } });
  for (let round = 0; round < ROUNDS; round++) {
    const name = `Shop ${round}`;
    await update({ name, description: `Lamps, round ${round}.`, website_url: `https://shop${round}.example` });
    expect((await feed('llms.txt')).text).toContain(`# ${name}\n`);
    expect((await feed('llms.txt')).text).toContain(`Lamps, round ${round}.`);
    expect((await feed('products.xml')).text).toContain(`https://shop${round}.example`);
    expect((await feed('products.json')).body.store.name).toBe(name);
    expect((await shop.publishable('GET', '/v1/store')).body.store.name).toBe(name);
  }
});

test('another currency stands at every price', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    // A store with products keeps to currencies of as many decimals.
    const currency = round % 2 === 0 ? 'EUR' : 'USD';
    await update({ currency });
    const { body } = await shop.publishable('GET', `/v1/products/${product}`);
    expect([body.display_currency, body.price]).toEqual([currency, 10]);
    expect((await shop.publishable('GET', '/v1/products')).body.products[0].display_currency).toBe(currency);
    expect((await shop.test('GET', `/v1/products/${trial}`)).body.display_currency).toBe(currency);
  }
});
