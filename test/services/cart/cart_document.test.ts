// Documents and events of carts.
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as schemas from '#proto/gen/cart.schema.ts';
import type { ShoppingCart } from '#proto/gen/cart.ts';
import { undocumented } from '#proto/validate.ts';
import { cartKey, NO_CART } from '#services/cart/cart.ts';
import { cartDocument } from '#services/cart/cart_document.ts';
import type { LineOffer } from '#services/cart/line.ts';
import { untyped } from '#test/support/event.ts';
import { appraisalOf, CUSTOMER, livingCart, offer, SHOP, START, TENANT } from './shopper.ts';

const PLACE = { tenant: TENANT, id: cartKey({ session: 'abc' }) };

const checked = (cart: ShoppingCart): ShoppingCart => {
  expect([...Value.Errors(schemas.ShoppingCart, cart)]).toEqual([]);
  expect(undocumented(schemas.ShoppingCart, cart)).toBeNull();
  return cart;
};

test('a cart that was not begun is empty and has its id already', () => {
  const shown = checked(cartDocument(NO_CART, PLACE, 'KES', null));
  expect(shown).toMatchObject({
    session_id: 'abc',
    customer_id: null,
    currency: 'KES',
    status: 'active',
    items: [],
    item_count: 0,
    total: 0,
    amount_due: 0,
    version: 0,
    created_at: null,
    updated_at: null,
  });
  const cart = livingCart();
  cart.add(offer(1), 1);
  expect(cart.state.id).toBe(shown.id);
});

test('carts of two shoppers and of two tenants have different ids', () => {
  const ids = [
    PLACE,
    { ...PLACE, id: cartKey({ session: 'abd' }) },
    { ...PLACE, id: cartKey({ customer: 'abc' }) },
    { ...PLACE, tenant: { ...TENANT, environment: 'sandbox' as const } },
    { ...PLACE, tenant: { ...TENANT, store: CUSTOMER } },
  ].map((place) => cartDocument(NO_CART, place, 'USD', null).id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('lines are shown at the prices of the moment, and totals are the sums of what is shown', () => {
  const cart = livingCart();
  cart.add(offer(1, { unit_price: 1_999, variant_name: 'M', thumbnail_url: 'https://a.example/p.jpg' }), 3);
  cart.add(offer(2), 1);
  const now = appraisalOf(cart.state, [offer(1, { unit_price: 1_999, name: 'New name' }), offer(2)]);
  expect(checked(cartDocument(cart.state, PLACE, 'USD', now))).toEqual({
    id: cart.state.id,
    session_id: 'abc',
    customer_id: null,
    currency: 'USD',
    status: 'active',
    items: [
      {
        id: cart.state.lines[0]!.id,
        product_id: offer(1).product_id,
        variant_id: offer(1).variant_id,
        name: 'New name',
        variant_name: null,
        sku: 'T-1',
        thumbnail_url: null,
        quantity: 3,
        unit_price: 19.99,
        subtotal: 59.97,
        discount: 0,
        total: 59.97,
        in_stock: true,
      },
      expect.objectContaining({ name: 'Thing 2', quantity: 1, unit_price: 20, total: 20 }),
    ],
    item_count: 4,
    subtotal: 79.97,
    discount_total: 0,
    gift_card_total: 0,
    total: 79.97,
    amount_due: 79.97,
    promotion_codes: [],
    applied_promotions: [],
    rejected_codes: [],
    gift_cards: [],
    warnings: [],
    version: 2,
    created_at: new Date(START).toISOString(),
    updated_at: new Date(START).toISOString(),
  });
});

describe('a warning', () => {
  const shownWith = (now: LineOffer | null, quantity = 4) => {
    const cart = livingCart();
    cart.add(offer(1), quantity);
    const document = checked(cartDocument(cart.state, PLACE, 'USD', appraisalOf(cart.state, now ? [now] : [])));
    expect(document.warnings.every(({ item_id }) => item_id === cart.state.lines[0]!.id)).toBe(true);
    const [item] = document.items;
    return {
      item,
      warnings: document.warnings.map(({ code, message }) => `${code}: ${message}`),
      total: document.total,
    };
  };

  test('tells a new price, and the new one is counted', () => {
    const { item, warnings, total } = shownWith(offer(1, { unit_price: 1_250 }));
    expect(item).toMatchObject({ unit_price: 12.5, subtotal: 50 });
    expect(total).toBe(50);
    expect(warnings).toEqual(['price_changed: The price of Thing 1 changed from 10.00 to 12.50 USD.']);
  });

  test('tells that less can be bought, and the quantity and its price stay', () => {
    const { item, warnings, total } = shownWith(offer(1, { stock: 3 }));
    expect(item).toMatchObject({ quantity: 4, subtotal: 40, in_stock: false });
    expect(total).toBe(40);
    expect(warnings).toEqual(['insufficient_stock: Only 3 of Thing 1 can be bought now.']);
    expect(shownWith(offer(1, { stock: 4 }))).toMatchObject({ item: { in_stock: true }, warnings: [] });
  });

  test('tells that nothing can be bought, and the quantity stays', () => {
    const { item, warnings } = shownWith(offer(1, { stock: 0 }));
    expect(item).toMatchObject({ quantity: 4, in_stock: false });
    expect(warnings).toEqual(['out_of_stock: Thing 1 cannot be bought now.']);
  });

  test.each([
    ['gone', null],
    ['not published any longer', offer(1, { is_active: false, unit_price: 5, name: 'Secret' })],
  ])('tells the same of what is %s, shown as it was', (_, now) => {
    const { item, warnings } = shownWith(now);
    expect(item).toMatchObject({ name: 'Thing 1', sku: 'T-1', quantity: 4, unit_price: 10, in_stock: false });
    expect(warnings).toEqual(['out_of_stock: Thing 1 cannot be bought now.']);
  });

  test('names lines that a merge left out', () => {
    const cart = livingCart();
    cart.add(offer(1), 4);
    const [line] = cart.state.lines;
    const reductions = [{ item_id: line!.id, quantity: 4 }];
    const { warnings } = cartDocument(cart.state, PLACE, 'USD', appraisalOf(cart.state, [offer(1)]), reductions);
    expect(warnings).toEqual([
      { code: 'quantity_reduced', item_id: line!.id, message: 'Only 4 of Thing 1 can be bought now.' },
    ]);
  });
});

test('discounts show by line and in the totals', () => {
  const cart = livingCart();
  cart.add(offer(1), 2);
  cart.add(offer(2), 1);
  cart.do({ type: 'AddCode', settings: SHOP, code: 'SPRING' });
  const { lines } = appraisalOf(cart.state, [offer(1), offer(2)]).basket!;
  const applied = [{ promotion_id: CUSTOMER, code: 'SPRING', title: 'Spring', amount: 5.05 }];
  const rejected = [{ code: 'OTHER', reason: 'Why not.' }];
  const shown = cartDocument(
    cart.state,
    PLACE,
    'USD',
    appraisalOf(cart.state, [offer(1), offer(2)], {
      basket: {
        lines: [{ ...lines[0]!, discount: 5.05, total: 14.95 }, lines[1]!],
        applied_promotions: applied,
        rejected_codes: rejected.map((each) => ({ ...each, cause: 'not_applicable' as const })),
      },
    }),
  );
  expect(checked(shown)).toMatchObject({
    items: [
      { subtotal: 20, discount: 5.05, total: 14.95 },
      { subtotal: 20, discount: 0, total: 20 },
    ],
    subtotal: 40,
    discount_total: 5.05,
    total: 34.95,
    amount_due: 34.95,
    promotion_codes: ['SPRING'],
    applied_promotions: applied,
    rejected_codes: rejected,
    warnings: [],
  });
});

test('a code whose promotion is over is a warning', () => {
  const cart = livingCart();
  cart.do({ type: 'AddCode', settings: SHOP, code: 'SPRING' });
  const rejected = [{ code: 'SPRING', reason: 'This promotion has ended.' }];
  const now = appraisalOf(cart.state, [], {
    basket: { rejected_codes: [{ ...rejected[0]!, cause: 'expired' }], expired_codes: ['SPRING'] },
  });
  expect(checked(cartDocument(cart.state, PLACE, 'USD', now))).toMatchObject({
    promotion_codes: ['SPRING'],
    rejected_codes: rejected,
    warnings: [{ code: 'code_expired', item_id: null, message: 'The promotion of the code SPRING is over.' }],
  });
});

test('gift cards pay one after the other, and one that cannot is a warning', () => {
  const cart = livingCart();
  cart.add(offer(1), 1);
  const spendable = (code_last4: string, balance_minor: number, reason: string | null = null) => ({
    code: `code ${code_last4}`,
    code_last4,
    reason,
    balance_minor,
  });
  const cards = [
    spendable('AAAA', 400),
    spendable('BBBB', 5_000, 'It is disabled.'),
    spendable('CCCC', 700),
    spendable('DDDD', 1),
  ];
  const shown = cartDocument(cart.state, PLACE, 'USD', appraisalOf(cart.state, [offer(1)], { cards }));
  expect(checked(shown)).toMatchObject({
    total: 10,
    gift_cards: [
      { code_last4: 'AAAA', amount: 4 },
      { code_last4: 'CCCC', amount: 6 },
      { code_last4: 'DDDD', amount: 0 },
    ],
    gift_card_total: 10,
    amount_due: 0,
    warnings: [{ code: 'code_expired', message: 'The gift card ending in BBBB cannot be used any longer.' }],
  });
  expect(JSON.stringify(shown)).not.toContain('code AAAA');
});

test.each([
  ['JPY', 1_500, 1_500, 3_000],
  ['KWD', 1_500, 1.5, 3],
])('amounts are in major units of %s', (currency, minor, price, total) => {
  const cart = livingCart();
  cart.add(offer(1, { unit_price: minor, currency }), 2);
  const now = appraisalOf(cart.state, [offer(1, { unit_price: minor, currency })]);
  expect(cartDocument(cart.state, PLACE, currency, now)).toMatchObject({ items: [{ unit_price: price }], total });
});

test('a total is exactly the sum of the shown parts', () => {
  const things = fc.array(fc.tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: 1, max: 99 })), {
    maxLength: 9,
  });
  fc.assert(
    fc.property(things, (given) => {
      const cart = livingCart();
      for (const [at, [price, quantity]] of given.entries()) {
        cart.add(offer(at + 1, { unit_price: price, stock: 99 }), quantity);
      }
      const { items, subtotal, total, amount_due, item_count } = cartDocument(cart.state, PLACE, 'USD', null);
      const cents = given.reduce((all, [price, quantity]) => all + price * quantity, 0);
      expect([subtotal, total, amount_due].map((amount) => Math.round(amount * 100))).toEqual([cents, cents, cents]);
      expect(items.reduce((all, item) => all + Math.round(item.total * 100), 0)).toBe(cents);
      expect(item_count).toBe(given.reduce((all, [, quantity]) => all + quantity, 0));
    }),
  );
});

describe('events', () => {
  test('tell a new cart, and each change of it with what was before', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    cart.add(offer(2), 1);
    cart.do({ type: 'SetQuantity', settings: SHOP, item_id: cart.state.lines[0]!.id, offer: offer(1), quantity: 5 });
    cart.do({ type: 'RemoveItem', settings: SHOP, item_id: cart.state.lines[1]!.id });
    const events = cart.events.map(({ type, object, previousAttributes: before }) => [
      type,
      untyped(object).item_count,
      before && [before.item_count, before.total, (before.items as unknown[]).length],
    ]);
    expect(events).toEqual([
      ['cart.created', 2, undefined],
      ['cart.updated', 3, [2, 20, 1]],
      ['cart.updated', 6, [3, 40, 2]],
      ['cart.updated', 5, [6, 70, 2]],
    ]);
    for (const { object } of cart.events) checked(object as ShoppingCart);
    expect(cart.events[2]!.previousAttributes).not.toHaveProperty('status');
  });

  test('tell nothing of codes but a cart that begins with one', () => {
    const cart = livingCart();
    cart.do({ type: 'AddCode', settings: SHOP, code: 'A' });
    cart.do({ type: 'AddCode', settings: SHOP, code: 'B' });
    expect(cart.events.map(({ type }) => type)).toEqual(['cart.created']);
  });

  test('tell a cart’s end', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    cart.do({ type: 'Merge', into: 'c:1', version: 1 });
    expect(cart.events[1]).toMatchObject({
      type: 'cart.updated',
      object: { id: cart.state.id, status: 'merged', items: [], total: 0 },
      previousAttributes: { status: 'active', item_count: 2, total: 20, items: [{ name: 'Thing 1' }] },
    });
  });

  test('tell an abandoned cart with all that is needed to remind of it', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1, { thumbnail_url: 'https://a.example/p.jpg' }), 2);
    cart.now += SHOP.abandonedAfterMs;
    cart.do({ type: 'Due' });
    expect(cart.events[1]).toMatchObject({
      type: 'cart.abandoned',
      object: {
        customer_id: CUSTOMER,
        session_id: null,
        items: [{ name: 'Thing 1', sku: 'T-1', thumbnail_url: 'https://a.example/p.jpg', quantity: 2, unit_price: 10 }],
        total: 20,
      },
    });
    expect(cart.events[1]!.previousAttributes).toBeUndefined();
  });
});
