// Gift cards of a cart, over HTTP.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '#runtime/process/clock.ts';
import { openSeal } from '#runtime/process/seal.ts';
import { giftCardCodes } from '#services/cart/gift_card.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';
import { cartOf, openStorefront, problemOf, readCart, type Storefront, type Visitor } from './storefront.ts';

const clock = manualClock(Date.now());
let stoa: Stoa;
let shop: Storefront;
beforeAll(async () => {
  stoa = await startStoa({ clock });
  shop = await openStorefront(stoa);
});
afterAll(() => stoa?.stop());

const must = async (reply: Promise<Reply>) => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};
const at = (seconds: number): string => new Date(clock.real() + seconds * 1_000).toISOString();

const issue = async (amount: number, more: object = {}): Promise<{ id: string; code: string }> =>
  (await must(shop.secret('POST', '/v1/gift-cards', { amount, ...more }))).gift_card;
const use = (visitor: Pick<Visitor, 'send'>, code: string, headers = {}): Promise<Reply> =>
  visitor.send('POST', '/v1/cart/gift-cards', { code }, headers);

test('pay in the order in which they were entered, as far as they go', async () => {
  const { visitor } = await shop.withItem(2, { price: 10 });
  const [small, large] = [await issue(5), await issue(50)];
  const first = cartOf(await use(visitor, small.code.toLowerCase().replaceAll('-', ' ')));
  expect(first).toMatchObject({
    gift_cards: [{ code_last4: small.code.slice(-4), amount: 5 }],
    gift_card_total: 5,
    total: 20,
    amount_due: 15,
    version: 2,
  });
  expect(cartOf(await use(visitor, small.code))).toEqual(first);
  const both = await use(visitor, large.code);
  expect(cartOf(both)).toMatchObject({
    gift_cards: [{ amount: 5 }, { code_last4: large.code.slice(-4), amount: 15 }],
    gift_card_total: 20,
    amount_due: 0,
  });
  // A reader of the cart cannot spend the cards.
  for (const { code } of [small, large]) expect(both.text).not.toContain(code);
});

test('gift cards are removed by code or by their last letters', async () => {
  const { visitor } = await shop.withItem(1, { price: 10 });
  const [one, two] = [await issue(3), await issue(4)];
  for (const { code } of [one, two]) await use(visitor, code);
  const drop = (code: string) => visitor.send('DELETE', `/v1/cart/gift-cards/${code}`);
  expect(cartOf(await drop(one.code.toLowerCase()))).toMatchObject({ gift_cards: [{ amount: 4 }], amount_due: 6 });
  expect(problemOf(await drop(one.code))).toEqual([404, 'not_found', 'code']);
  expect(cartOf(await drop(two.code.slice(-4)))).toMatchObject({ gift_cards: [], amount_due: 10 });
});

test('gift cards that do not apply are refused, and the cart stays unchanged', async () => {
  const { visitor, cart } = await shop.withItem(1);
  const disabled = await issue(5);
  await must(shop.secret('PATCH', `/v1/gift-cards/${disabled.id}`, { status: 'disabled' }));
  const expiring = await issue(5, { expires_at: at(60) });
  const foreign = await issue(5, { currency: 'EUR' });
  const { gift_card: sandbox } = await must(shop.test('POST', '/v1/gift-cards', { amount: 5 }));
  clock.advance(60_000);
  for (const code of ['nonsense', '0000-0000-0000-0000', disabled.code, expiring.code, foreign.code, sandbox.code]) {
    expect(problemOf(await use(visitor, code))).toEqual([400, 'gift_card_not_applicable', 'code']);
  }
  expect(await readCart(visitor)).toEqual(cart);
});

test('gift cards that became unusable pay nothing, with a warning', async () => {
  const { visitor } = await shop.withItem(1, { price: 10 });
  const { id, code } = await issue(5);
  await use(visitor, code);
  await must(shop.secret('PATCH', `/v1/gift-cards/${id}`, { status: 'disabled' }));
  expect(await readCart(visitor)).toMatchObject({
    gift_cards: [],
    gift_card_total: 0,
    amount_due: 10,
    warnings: [{ code: 'code_expired', item_id: null }],
  });
});

test('gift cards pay for the cart’s order', async () => {
  const { visitor } = await shop.withItem(1, { price: 10 });
  const { code } = await issue(25);
  await use(visitor, code);
  const body = {
    cart: true,
    session_id: visitor.session,
    email: 'a@example.com',
    shipping_address: { first_name: 'A', last_name: 'B', line1: 'Street 1', city: 'Nairobi', country: 'KE' },
  };
  const keys = { key: shop.keys.secret_key, signWith: shop.keys.hmac_secret };
  const { order } = await must(stoa.send('POST', '/v1/orders', { ...keys, body }));
  expect(order).toMatchObject({ total_amount: 10, gift_card_total: 10, amount_due: 0, payment_status: 'paid' });
  expect((await must(shop.publishable('GET', `/v1/gift-cards?code=${code}`))).gift_card.balance).toBe(15);
  expect(await readCart(visitor)).toMatchObject({ status: 'converted', gift_cards: [], gift_card_total: 0 });
});

test('under one key count once, go with a merge, and go when the cart is emptied', async () => {
  const { visitor } = await shop.withItem(1, { price: 10 });
  const { code } = await issue(4);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await use(visitor, code, key);
  const again = await use(visitor, code, key);
  expect(again.body).toEqual({ ...first.body, idempotent: true });
  const ada = await shop.newCustomer();
  const names = { session_id: visitor.session, customer_id: ada.id };
  const merged = cartOf(await ada.send('POST', '/v1/cart/merge', names));
  expect(merged).toMatchObject({ gift_cards: [{ amount: 4 }], total: 10, amount_due: 6 });
  expect(await readCart(visitor)).toMatchObject({ status: 'merged', gift_cards: [] });
  expect(cartOf(await ada.send('DELETE', `/v1/cart?customer_id=${ada.id}`))).toMatchObject({ gift_cards: [] });
});

test('every retry of an added gift card gets the first answer after the card was disabled', async () => {
  const { visitor } = await shop.withItem(1, { price: 10 });
  const { id, code } = await issue(4);
  const key = { 'Idempotency-Key': randomUUID() };
  const first = await use(visitor, code, key);
  await must(shop.secret('PATCH', `/v1/gift-cards/${id}`, { status: 'disabled' }));
  const retries = await Promise.all(Array.from({ length: 20 }, () => use(visitor, code, key)));
  for (const retry of retries) expect(retry.body).toEqual({ ...first.body, idempotent: true });
  expect(problemOf(await use(visitor, code))).toEqual([400, 'gift_card_not_applicable', 'code']);
});

test('gift card codes are never stored in the clear', async () => {
  const { visitor, cart } = await shop.withItem(1);
  const { code } = await issue(4);
  await use(visitor, code);
  const { sql } = stoa.services.runtime.postgres;
  await eventually(async () => {
    const rows = await sql<{ state: string }[]>`
      select state::text as state from runtime.actor where state::text like ${`%${cart.id}%`}`;
    expect(rows[0]?.state).toContain('"sealed"');
    expect(rows[0]?.state).not.toContain(code);
  });
});

test('a card that was kept under a master key which is gone pays nothing, and the others do', () => {
  const [gone, here] = [randomBytes(32), randomBytes(32)].map((key) => openSeal(key.toString('base64')));
  const tenant = { store: randomUUID(), environment: 'production' } as const;
  const stored = [gone!, here!].map((seal, at) => ({
    id: `${at}`,
    last4: '0000',
    sealed: Buffer.from(seal.close(`code ${at}`, `cart/${tenant.store}/production`)).toString('base64'),
  }));
  expect(giftCardCodes(here!, tenant, stored)).toEqual(['code 1']);
});
