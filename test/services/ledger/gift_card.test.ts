// Gift cards: made once, spent once, ended for good.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { disableCard, namedIn, redeemCards } from '#services/ledger/index.ts';
import { type Book, openBook } from './book.ts';

let book: Book;
beforeAll(async () => {
  book = await openBook();
});
afterAll(() => book.close());

const redeem = (tenant: Tenant, codes: readonly string[], due: number, order: string = randomUUID()) =>
  book.run((tx) => redeemCards(tx, tenant, { order, currency: 'USD', due, codes: namedIn('gift_card_codes', codes) }));

const taken = (outcome: Awaited<ReturnType<typeof redeem>>): unknown[] =>
  outcome instanceof Refusal
    ? [outcome.code, outcome.extra.param, outcome.message]
    : outcome.map(({ amount }) => amount);

describe('redeeming', () => {
  test('takes what is due, card by card, and leaves the rest', async () => {
    const tenant = book.newTenant();
    const [first, second, third] = [
      await book.card(tenant, 30),
      await book.card(tenant, 50),
      await book.card(tenant, 9),
    ];
    const order = randomUUID();
    const outcome = await redeem(tenant, [first.code, second.code, third.code], 60, order);
    expect(taken(outcome)).toEqual([30, 30]);
    expect(await Promise.all([first, second, third].map(({ id }) => book.balance(tenant, 'gift_card', id)))).toEqual([
      0, 20, 9,
    ]);
    expect(await book.balance(tenant, 'order', order)).toBe(60);
    expect(await book.events(tenant)).toEqual([
      ...Array<string>(3).fill('gift_card.issued'),
      'gift_card.redeemed',
      'gift_card.redeemed',
    ]);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('finds a code however it was typed', async () => {
    const tenant = book.newTenant();
    const { code } = await book.card(tenant, 5);
    expect(taken(await redeem(tenant, [code.toLowerCase().replaceAll('-', ' ')], 1))).toEqual([1]);
    expect(taken(await redeem(tenant, [code.replaceAll('-', '')], 1))).toEqual([1]);
    expect(taken(await redeem(tenant, [code.replaceAll('0', 'o').replaceAll('1', 'l')], 1))).toEqual([1]);
  });

  test.each<[string, (tenant: Tenant) => Promise<string>, string]>([
    ['an unknown one', async () => 'AAAA-BBBB-CCCC-DDDD', 'There is no gift card with this code.'],
    ['no code at all', async () => "'; drop", 'There is no gift card with this code.'],
    [
      'another tenant’s',
      async () => (await book.card(book.newTenant(), 5)).code,
      'There is no gift card with this code.',
    ],
    [
      'the production’s, in the sandbox',
      async ({ store }) => (await book.card({ store, environment: 'sandbox' }, 5)).code,
      'There is no gift card with this code.',
    ],
    ['of another currency', async (tenant) => (await book.card(tenant, 5, 'KES')).code, 'This gift card is in KES.'],
    [
      'expired',
      async (tenant) => {
        const { code } = await book.card(tenant, 5, 'USD', new Date(book.clock.real() + 1_000));
        book.clock.advance(1_000);
        return code;
      },
      'This gift card is expired.',
    ],
    [
      'disabled',
      async (tenant) => {
        const { id, code } = await book.card(tenant, 5);
        await book.run((tx) => disableCard(tx, tenant, id));
        return code;
      },
      'This gift card is disabled.',
    ],
    [
      'used up',
      async (tenant) => {
        const { code } = await book.card(tenant, 5);
        await redeem(tenant, [code], 5);
        return code;
      },
      'This gift card is redeemed.',
    ],
  ])('refuses a code that is %s, and the whole order with it', async (_name, make, message) => {
    const tenant = book.newTenant();
    const good = await book.card(tenant, 5);
    const bad = await make(tenant);
    expect(taken(await redeem(tenant, [good.code, bad], 10))).toEqual([
      'gift_card_not_applicable',
      'gift_card_codes[1]',
      message,
    ]);
    expect(await book.balance(tenant, 'gift_card', good.id)).toBe(5);
  });

  test('takes a code once an order', async () => {
    const tenant = book.newTenant();
    const { code } = await book.card(tenant, 5);
    expect(taken(await redeem(tenant, [code, code], 10))).toEqual([
      'gift_card_not_applicable',
      'gift_card_codes[1]',
      'This gift card is named twice.',
    ]);
  });

  test('spends each unit of a card once when many orders redeem it at once', async () => {
    const tenant = book.newTenant();
    const { id, code } = await book.card(tenant, 100);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => redeem(tenant, [code], 100)));
    expect(outcomes.filter((outcome) => !(outcome instanceof Refusal))).toHaveLength(1);
    expect(await book.balance(tenant, 'gift_card', id)).toBe(0);
    expect(await book.balanced(tenant)).toBe(true);
  });

  test('redeems two cards in opposite order at once without a deadlock', async () => {
    const tenant = book.newTenant();
    const [a, b] = [await book.card(tenant, 50), await book.card(tenant, 50)];
    const outcomes = await Promise.all([redeem(tenant, [a.code, b.code], 40), redeem(tenant, [b.code, a.code], 40)]);
    expect(outcomes.flatMap(taken)).toEqual([40, 40]);
  });
});

describe('disabling', () => {
  test('ends an active card, once', async () => {
    const tenant = book.newTenant();
    const { id } = await book.card(tenant, 50);
    for (const _time of [1, 2])
      expect(await book.run((tx) => disableCard(tx, tenant, id))).toMatchObject({ status: 'disabled', balance: 0.5 });
  });

  test('refuses one that is used up', async () => {
    const tenant = book.newTenant();
    const { id, code } = await book.card(tenant, 50);
    await redeem(tenant, [code], 50);
    expect(await book.run((tx) => disableCard(tx, tenant, id))).toMatchObject({ code: 'conflict' });
  });

  test('leaves the balance of a card intact or spent when both run at once', async () => {
    const tenant = book.newTenant();
    const { id, code } = await book.card(tenant, 50);
    const [spent, disabled] = await Promise.all([
      redeem(tenant, [code], 20),
      book.run((tx) => disableCard(tx, tenant, id)),
    ]);
    expect(disabled).toMatchObject({ status: 'disabled' });
    expect(await book.balance(tenant, 'gift_card', id)).toBe(spent instanceof Refusal ? 50 : 30);
    expect(taken(await redeem(tenant, [code], 1))[0]).toBe('gift_card_not_applicable');
  });
});

describe('a code', () => {
  test('never appears in plain text in the database', async () => {
    const tenant = book.newTenant();
    const { code } = await book.card(tenant, 50);
    const rows = await book.postgres.sql`select c::text as text from ledger.gift_card c where store = ${tenant.store}`;
    const text = String(rows[0]!.text);
    for (const form of [code, code.replaceAll('-', '')]) {
      expect(text).not.toContain(form);
      expect(text).not.toContain(Buffer.from(form).toString('hex'));
    }
  });
});
