// Lists of the gift cards that a store issued, over HTTP.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GiftCard, IssuedGiftCard } from '#proto/gen/value.ts';
import { manualClock } from '#runtime/process/clock.ts';
import {
  basket,
  createSingleProductStore,
  placeOrder,
  type SingleProductStore,
} from '#test/services/order/single_product_store.ts';
import { type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const DAY_MS = 86_400_000;

const clock = manualClock(Date.now());
let stoa: Stoa;
let shop: SingleProductStore;
beforeAll(async () => {
  stoa = await startStoa({ clock });
});
afterAll(() => stoa?.stop());
beforeEach(async () => {
  shop = await createSingleProductStore(stoa, { stock: 100 });
});

const issue = async (body: object = {}): Promise<GiftCard> => {
  const reply = await shop.write('POST', '/v1/gift-cards', { amount: 25, ...body });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.gift_card;
};
const list = (query = '', key = shop.secret_key) => stoa.send('GET', `/v1/gift-cards/issued${query}`, { key });
const cards = async (query = ''): Promise<IssuedGiftCard[]> => (await list(query)).body.gift_cards;
const idsOf = async (query = '') => (await cards(query)).map(({ id }) => id);

test('lists cards, the newest first, with the last characters of their codes alone', async () => {
  const { customer } = (await shop.write('POST', '/v1/customers', { email: 'ada@example.com' })).body;
  const first = await issue();
  clock.advance(1);
  const second = await issue({ customer_id: customer.id });
  const { status, body, text } = await list();
  expect(status, text).toBe(200);
  const listed = ({ code, ...card }: GiftCard) => ({ ...card, code_last4: code.slice(-4) });
  expect(body.gift_cards).toEqual([listed(second), listed(first)]);
  for (const { code } of [first, second]) expect(text).not.toContain(code);
  expect(await idsOf(`?customer_id=${customer.id}`)).toEqual([second.id]);
  expect((await list('?fields=code_last4')).body.gift_cards).toEqual(
    [second, first].map(({ code }) => ({ code_last4: code.slice(-4) })),
  );
});

test('finds a card by the end of its code or the whole code, however it is typed', async () => {
  const [card, other] = [await issue(), await issue()];
  for (const typed of [
    card.code.slice(-4),
    card.code.slice(-4).toLowerCase(),
    card.code,
    card.code.replaceAll('-', ' '),
  ])
    expect(await idsOf(`?search=${encodeURIComponent(typed)}`)).toEqual([card.id]);
  const endings = await idsOf(`?search=${card.code.slice(-1)}`);
  expect(endings).toContain(card.id);
  expect(endings.includes(other.id)).toBe(other.code.endsWith(card.code.slice(-1)));
  for (const typed of ['%', '_', 'UUUU', card.code.slice(0, 9), "'"])
    expect(await idsOf(`?search=${encodeURIComponent(typed)}`), typed).toEqual([]);
});

test('filters by the status that each card shows', async () => {
  const spent = await issue({ amount: 20 });
  const partly = await issue({ amount: 50 });
  const expired = await issue({ expires_at: new Date(clock.real() + DAY_MS).toISOString() });
  const disabled = await issue();
  const emptied = await issue({ amount: 10, expires_at: new Date(clock.real() + DAY_MS).toISOString() });
  await shop.write('PATCH', `/v1/gift-cards/${disabled.id}`, { status: 'disabled' });
  await placeOrder(shop, { ...basket(shop, 2), gift_card_codes: [spent.code] });
  await placeOrder(shop, { ...basket(shop, 2), gift_card_codes: [partly.code] });
  await placeOrder(shop, { ...basket(shop, 1), gift_card_codes: [emptied.code] });
  clock.advance(DAY_MS);
  const all = await cards();
  for (const [status, ids] of [
    ['active', [partly.id]],
    ['redeemed', [spent.id, emptied.id]],
    ['expired', [expired.id]],
    ['disabled', [disabled.id]],
  ] as const) {
    expect((await idsOf(`?status=${status}`)).sort(), status).toEqual([...ids].sort());
    expect(
      all
        .filter((card) => card.status === status)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([...ids].sort());
  }
  expect(all.find(({ id }) => id === partly.id)).toMatchObject({ initial_amount: 50, balance: 30 });
});

test('goes on page after page, and refuses a cursor of another filter', async () => {
  const made = [];
  for (let count = 0; count < 5; count++) made.unshift((await issue()).id);
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Reply = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.body.gift_cards.map(({ id }: IssuedGiftCard) => id));
    cursor = page.body.pagination.next_cursor;
    if (cursor !== null) {
      const foreign = await list(`?status=active&cursor=${cursor}`);
      expect([foreign.status, foreign.body.error.param]).toEqual([400, 'cursor']);
    }
  }
  expect(seen.sort()).toEqual(made.sort());
});

test('shows a store’s cards to secret keys of its own environment alone', async () => {
  const card = await issue();
  const other = await createSingleProductStore(stoa);
  expect((await list('', shop.publishable_key)).status).toBe(403);
  for (const key of [other.secret_key, shop.secret_test_key])
    expect((await list(`?search=${card.code}`, key)).body.gift_cards).toEqual([]);
});
