// Mails about products that are back in stock: once for each alert, in every race of askers and restocking.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type MailSandbox, openMailSandbox } from '#test/services/mail/sandbox.ts';
import { type Reply, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: MailSandbox;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMailSandbox(stoa);
});

interface Gone {
  readonly id: string;
  readonly variants: readonly string[];
}

/** A product of two variants, both sold out. */
const goneProduct = async (of = shop): Promise<Gone> => {
  const { id, variants } = await of.call('POST', '/v1/products', {
    name: 'Lamp',
    variants: ['S', 'M'].map((size) => ({ price: 12.5, stock: 0, variant_attributes: { size } })),
  });
  return { id, variants: variants.map(({ variant_id }: { variant_id: string }) => variant_id) };
};
let networks = 0;
/** Each call comes from another network, since those of one network are limited. */
const ask = (product: string, body: object, of = shop): Promise<Reply> =>
  of.send('POST', `/v1/products/${product}/back-in-stock`, body, {
    'X-Shopper-IP': `2001:db8:0:${(++networks).toString(16)}::1`,
  });
const restock = (variant_id: string, on_hand = 5, of = shop) =>
  of.call('POST', '/v1/inventory/adjustments', { variant_id, on_hand, reason: 'Delivery' });
const alertsOf = async (email: string): Promise<number> => {
  const { sql } = stoa.services.runtime.postgres;
  const rows = await sql`select from mail.stock_alert where email = ${email}`;
  return rows.count;
};

test('mails once when any variant is back, and anew for a new alert', async () => {
  const { id, variants } = await goneProduct();
  const email = shop.newEmail();
  const { status, body } = await ask(id, { email });
  expect([status, body]).toEqual([201, { stock_alert: { product_id: id, variant_id: null, email } }]);
  await restock(variants[1]!);
  const mail = await shop.receives(email, 'back_in_stock');
  expect(mail.subject).toBe('Lamp is back');
  expect(mail.text).toContain('for 12.50 USD');
  expect(mail.text).toContain(mail.unsubscribe_url!);
  expect(await alertsOf(email)).toBe(0);
  await restock(variants[1]!, 0);
  await restock(variants[1]!);
  await restock(variants[1]!, 0);
  expect((await ask(id, { email })).status).toBe(201);
  await restock(variants[0]!);
  await shop.receives(email, 'back_in_stock', 'back_in_stock');
});

test('mails in the language that the shopper asked in, or that the request names', async () => {
  const own = await openMailSandbox(stoa);
  await own.addLanguages('de', 'fr');
  const { id, variants } = await goneProduct(own);
  const emails = { en: own.newEmail(), de: own.newEmail(), fr: own.newEmail() };
  const key = own.keys.publishable_test_key;
  const path = `/v1/products/${id}/back-in-stock`;
  const asIn = (headers: Record<string, string>, body: object) =>
    sendTo(stoa.url, 'POST', path, { key, headers, body });
  const german = { 'Accept-Language': 'de-AT' };
  expect((await asIn(german, { email: emails.de })).headers.get('content-language')).toBe('de');
  expect((await asIn(german, { email: emails.fr, language: 'fr' })).status).toBe(201);
  expect((await asIn({}, { email: emails.en })).status).toBe(201);
  const wrong = await asIn({}, { email: emails.en, language: 'klingon' });
  expect([wrong.status, wrong.body.error.param]).toEqual([400, 'language']);
  await restock(variants[0]!, 5, own);
  const subject = async (email: string) => (await own.receives(email, 'back_in_stock')).subject;
  expect(await subject(emails.de)).toBe('Lamp ist wieder da');
  expect(await subject(emails.fr)).toBe('Lamp est de retour');
  expect(await subject(emails.en)).toBe('Lamp is back');
});

test('takes publishable keys, ten times a minute from one network', async () => {
  const own = await openMailSandbox(stoa);
  const { id } = await goneProduct(own);
  const statuses = [];
  for (let count = 0; count < 11; count++) {
    const body = { email: own.newEmail() };
    const key = own.keys.publishable_test_key;
    statuses.push((await sendTo(stoa.url, 'POST', `/v1/products/${id}/back-in-stock`, { key, body })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});

test('waits for the named variant alone', async () => {
  const { id, variants } = await goneProduct();
  const [named, any] = [shop.newEmail(), shop.newEmail()];
  await ask(id, { email: named, variant_id: variants[0] });
  await ask(id, { email: any });
  await restock(variants[1]!);
  await shop.receives(any, 'back_in_stock');
  expect(await alertsOf(named)).toBe(1);
  await restock(variants[0]!);
  await shop.receives(named, 'back_in_stock');
});

describe('races', () => {
  test('store one alert and send one mail for eight equal requests', async () => {
    const { id, variants } = await goneProduct();
    const email = shop.newEmail();
    const typed = [email, email.toUpperCase()];
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(id, { email: typed[at % 2] })));
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await alertsOf(email)).toBe(1);
    await restock(variants[0]!);
    await shop.receives(email, 'back_in_stock');
  });

  test('send one mail to each address when requests meet restocking', async () => {
    const { id, variants } = await goneProduct();
    const emails = Array.from({ length: 6 }, () => shop.newEmail());
    const replies = await Promise.all([
      ...emails.map((email) => ask(id, { email })),
      restock(variants[0]!).then(() => null),
      restock(variants[1]!).then(() => null),
    ]);
    for (const [at, email] of emails.entries()) {
      // A request after the restocking is refused.
      if (replies[at]!.status === 409) continue;
      expect(replies[at]!.status).toBe(201);
      await shop.receives(email, 'back_in_stock');
    }
  });
});

describe('a request', () => {
  test('gets 409 while the product can be bought', async () => {
    const { id, variants } = await goneProduct();
    await restock(variants[0]!);
    const email = shop.newEmail();
    expect((await ask(id, { email })).status).toBe(409);
    expect((await ask(id, { email, variant_id: variants[0] })).status).toBe(409);
    expect((await ask(id, { email, variant_id: variants[1] })).status).toBe(201);
  });

  test('gets 404 for an unknown product or variant, and for one of another store', async () => {
    const other = await openMailSandbox(stoa);
    const foreign = await goneProduct(other);
    const { id } = await goneProduct();
    const email = shop.newEmail();
    for (const product of [randomUUID(), foreign.id]) expect((await ask(product, { email })).status).toBe(404);
    const wrong = await ask(id, { email, variant_id: foreign.variants[0] });
    expect([wrong.status, wrong.body.error.param]).toEqual([404, 'variant_id']);
    expect(await alertsOf(email)).toBe(0);
  });

  test.each([[{}], [{ email: 'nobody' }], [{ email: 'a@example.com\r\nBcc: b@example.com' }]])(
    'is refused with %j',
    async (body) => expect((await ask((await goneProduct()).id, body)).status).toBe(400),
  );
});
