// Decisions of carts.
import { describe, expect, test } from 'vitest';
import { CART } from '#services/cart/actor.ts';
import { CART_LIMITS, type CartCommand, type CartState, cartKey, giftCardsOf, NO_CART } from '#services/cart/cart.ts';
import type { SealedCard } from '#services/cart/gift_card.ts';
import { type CartLine, LIMITS, type LineOffer } from '#services/cart/line.ts';
import { addOf, CUSTOMER, card, convertOf, keepCard, livingCart, offer, SHOP, setTo } from './shopper.ts';

const held = (state: CartState): Record<string, number> =>
  Object.fromEntries(state.lines.map(({ name, quantity }) => [name, quantity]));

describe('adding', () => {
  test('begins the cart, and the same variant again is the same line', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    cart.add(offer(2), 1);
    cart.add(offer(1), 3);
    expect(held(cart.state)).toEqual({ 'Thing 1': 5, 'Thing 2': 1 });
    expect(cart.state).toMatchObject({ status: 'active', version: 3, session_id: 'abc', customer_id: null });
  });

  test('writes the line at the price of the moment', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    cart.add(offer(1, { unit_price: 1_200, name: 'Renamed' }), 1);
    expect(cart.state.lines).toMatchObject([{ name: 'Renamed', quantity: 2, unit_price: 1_200 }]);
  });

  test('writes the price of the whole quantity', () => {
    const cart = livingCart();
    const cheaper = offer(1, {
      prices: [
        { from: 1, unit_price: 1_000 },
        { from: 10, unit_price: 800 },
      ],
    });
    cart.add(cheaper, 9);
    expect(cart.state.lines).toMatchObject([{ quantity: 9, unit_price: 1_000 }]);
    cart.add(cheaper, 1);
    expect(cart.state.lines).toMatchObject([{ quantity: 10, unit_price: 800 }]);
    cart.do(setTo(cart.state.lines[0], cheaper, 2));
    expect(cart.state.lines).toMatchObject([{ quantity: 2, unit_price: 1_000 }]);
  });

  test('fewer than are sold is refused', () => {
    const bulk = offer(1, { unit_price: null, prices: [{ from: 6, unit_price: 500 }] });
    const cart = livingCart();
    expect(cart.tell(addOf(bulk, 5))).toMatchObject({
      code: 'invalid_request',
      message: 'The quantity 5 is below 6, the smallest that is sold of this item.',
      extra: { param: 'quantity' },
    });
    expect(cart.do(addOf(bulk, 6)).cart.lines).toMatchObject([{ quantity: 6, unit_price: 500 }]);
  });

  test('more than can be bought is refused, what is in the cart counted', () => {
    const cart = livingCart();
    cart.add(offer(1), 15);
    const before = cart.state;
    expect(cart.tell(addOf(offer(1), 6))).toMatchObject({
      code: 'insufficient_stock',
      extra: { param: 'quantity', details: 'available: 20' },
    });
    expect(cart.state).toBe(before);
    expect(held(cart.do(addOf(offer(1), 5)).cart)).toEqual({ 'Thing 1': 20 });
  });

  test.each([
    ['is unknown', null, 'not_found'],
    ['is not published', offer(1, { is_active: false }), 'not_found'],
    ['has no price', offer(1, { unit_price: null }), 'insufficient_stock'],
  ])('what %s is refused', (_, what, code) => {
    expect(livingCart().tell(addOf(what, 1))).toMatchObject({ code });
  });

  test('says which field named what does not exist', () => {
    const command = { ...addOf(null, 1), param: 'product_id' } as CartCommand;
    expect(livingCart().tell(command)).toMatchObject({ message: 'No such product.', extra: { param: 'product_id' } });
  });

  test('ends at the limits', () => {
    const cart = livingCart();
    const endless = (n: number) => offer(1, { variant_id: `v${n}`, stock: 1_000_000 });
    cart.add(endless(0), LIMITS.quantityMax);
    expect(cart.tell(addOf(endless(0), 1))).toMatchObject({ code: 'invalid_request', extra: { param: 'quantity' } });
    for (let n = 1; n < LIMITS.linesMax; n++) cart.add(endless(n), 1);
    expect(cart.tell(addOf(endless(999), 1))).toMatchObject({ code: 'conflict' });
    expect(cart.state.lines).toHaveLength(LIMITS.linesMax);
  });
});

describe('a quantity', () => {
  test('sets the quantity, and 0 removes the line', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    cart.add(offer(2), 1);
    cart.do(setTo(cart.state.lines[0], offer(1), 7));
    expect(held(cart.state)).toEqual({ 'Thing 1': 7, 'Thing 2': 1 });
    cart.do(setTo(cart.state.lines[0], null, 0));
    expect(held(cart.state)).toEqual({ 'Thing 2': 1 });
  });

  test('changes nothing at the same quantity and price', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    const before = cart.state;
    cart.do(setTo(before.lines[0], offer(1), 2));
    expect(cart.state).toBe(before);
    cart.do(setTo(before.lines[0], offer(1, { unit_price: 900 }), 2));
    expect(cart.state.lines).toMatchObject([{ quantity: 2, unit_price: 900 }]);
  });

  test.each([
    ['that is not in stock', offer(1, { stock: 2 }), 'insufficient_stock'],
    ['of what is not published any longer', offer(1, { is_active: false }), 'insufficient_stock'],
    ['of what is gone', null, 'insufficient_stock'],
  ])('%s is refused', (_, what, code) => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    expect(cart.tell(setTo(cart.state.lines[0], what, 3))).toMatchObject({ code });
  });

  test('answers not_found for an unknown item', () => {
    const expected = { code: 'not_found', extra: { param: 'item_id' } };
    expect(livingCart().tell(setTo(undefined, offer(1), 1))).toMatchObject(expected);
    expect(livingCart().tell({ type: 'RemoveItem', settings: SHOP, item_id: 'none' })).toMatchObject(expected);
  });
});

describe('removing an item', () => {
  test('one line leaves the others', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    cart.add(offer(2), 2);
    cart.do({ type: 'RemoveItem', settings: SHOP, item_id: cart.state.lines[0]!.id });
    expect(held(cart.state)).toEqual({ 'Thing 2': 2 });
  });

  test('everything takes the gift cards too', () => {
    const cart = livingCart();
    cart.do(keepCard(1));
    cart.do({ type: 'Empty', settings: SHOP });
    expect(giftCardsOf(cart.state)).toEqual([]);
    expect(cart.state).not.toHaveProperty('giftCards');
  });

  test('everything takes the codes too, and nothing where nothing is', () => {
    const cart = livingCart();
    cart.do({ type: 'Empty', settings: SHOP });
    expect(cart.state).toBe(NO_CART);
    cart.add(offer(1), 1);
    cart.do({ type: 'AddCode', settings: SHOP, code: 'SPRING' });
    cart.do({ type: 'Empty', settings: SHOP });
    expect(cart.state).toMatchObject({ lines: [], codes: [], status: 'active', version: 3 });
    cart.do({ type: 'Empty', settings: SHOP });
    expect(cart.state.version).toBe(3);
  });

  test('and putting in again makes another line', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    const [first] = cart.state.lines;
    cart.do({ type: 'Empty', settings: SHOP });
    cart.add(offer(1), 1);
    expect(cart.state.lines[0]!.id).not.toBe(first!.id);
  });
});

describe('codes', () => {
  const keep = (code: string): CartCommand => ({ type: 'AddCode', settings: SHOP, code });

  test('stores each code once, in the order of entry', () => {
    const cart = livingCart();
    for (const code of ['B', 'A', 'B']) cart.do(keep(code));
    expect(cart.state).toMatchObject({ codes: ['B', 'A'], version: 2 });
    cart.do({ type: 'RemoveCode', settings: SHOP, code: 'B' });
    expect(cart.state.codes).toEqual(['A']);
    expect(cart.tell({ type: 'RemoveCode', settings: SHOP, code: 'B' })).toMatchObject({
      code: 'not_found',
      extra: { param: 'code' },
    });
  });

  test('limits their number', () => {
    const cart = livingCart();
    for (let n = 0; n < CART_LIMITS.codesMax; n++) cart.do(keep(`C${n}`));
    expect(cart.tell(keep('MORE'))).toMatchObject({ code: 'conflict', extra: { param: 'code' } });
    cart.do(keep('C0'));
  });
});

describe('gift cards', () => {
  test('stores each card once, in the order of entry, and removes it by id or last letters', () => {
    const cart = livingCart();
    for (const n of [2, 1, 2, 3]) cart.do(keepCard(n));
    expect(giftCardsOf(cart.state)).toEqual([card(2), card(1), card(3)]);
    expect(cart.state.version).toBe(3);
    const drop = (id: string | null, last4 = ''): CartCommand => ({
      type: 'RemoveGiftCard',
      settings: SHOP,
      id,
      last4,
    });
    cart.do(drop('card 2'));
    cart.do(drop(null, '0003'));
    expect(giftCardsOf(cart.state)).toEqual([card(1)]);
    expect(cart.tell(drop('card 2', '0002'))).toMatchObject({ code: 'not_found', extra: { param: 'code' } });
  });

  test('limits their number', () => {
    const cart = livingCart();
    for (let n = 0; n < CART_LIMITS.giftCardsMax; n++) cart.do(keepCard(n));
    expect(cart.tell(keepCard(99))).toMatchObject({ code: 'conflict', extra: { param: 'code' } });
    cart.do(keepCard(0));
  });

  test('disappear when the cart closes', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    cart.do(keepCard(1));
    cart.do(convertOf(cart.state));
    expect(cart.state).not.toHaveProperty('giftCards');
  });
});

describe('merging another cart', () => {
  const of = (n: number, quantity: number, given: Partial<LineOffer> = {}) => {
    const there = livingCart();
    there.add(offer(n, { stock: 9_999 }), quantity);
    return { line: there.state.lines[0]!, offer: offer(n, given) };
  };
  const takeOver = (
    lines: readonly { line: CartLine; offer: LineOffer | null }[],
    given: { source?: string; version?: number; codes?: string[]; giftCards?: SealedCard[] } = {},
  ): CartCommand => {
    const rest = { source: 'source', version: 1, codes: [], giftCards: [], ...given };
    return { type: 'MergeIn', settings: SHOP, lines, ...rest };
  };

  test('sums what both hold and takes the rest, codes too', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1), 2);
    cart.do({ type: 'AddCode', settings: SHOP, code: 'MINE' });
    const { reductions } = cart.do(takeOver([of(1, 3), of(2, 4)], { codes: ['MINE', 'THEIRS'] }));
    expect(held(cart.state)).toEqual({ 'Thing 1': 5, 'Thing 2': 4 });
    expect(cart.state.codes).toEqual(['MINE', 'THEIRS']);
    expect(reductions).toEqual([]);
  });

  test('takes the gift cards that it has not, as many as a cart keeps', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.do(keepCard(1));
    const theirs = Array.from({ length: 12 }, (_, n) => card(n));
    cart.do(takeOver([], { giftCards: theirs }));
    const expected = [1, 0, 2, 3, 4, 5, 6, 7, 8, 9].map(card);
    expect(giftCardsOf(cart.state)).toEqual(expected);
  });

  test.each([
    ['the sum as far as it goes', 3, 4, 5, 5],
    ['nothing more where the cart holds all there is', 5, 2, 5, 5],
    ['all there is, though the cart held more', 6, 1, 4, 4],
    ['the larger of the two where nothing can be bought', 2, 3, 0, 3],
  ])('takes %s and says so', (_, mine, theirs, stock, expected) => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1), mine);
    const { reductions } = cart.do(takeOver([of(1, theirs, { stock })]));
    expect(held(cart.state)).toEqual({ 'Thing 1': expected });
    expect(reductions).toEqual([{ item_id: cart.state.lines[0]!.id, quantity: expected }]);
  });

  test('takes what is out of stock or gone as it is', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.do(takeOver([of(1, 3, { stock: 0 }), { ...of(2, 2), offer: null }]));
    expect(held(cart.state)).toEqual({ 'Thing 1': 3, 'Thing 2': 2 });
  });

  test('keeps the prices at which lines were written', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1, { unit_price: 800 }), 1);
    cart.do(takeOver([of(1, 1, { unit_price: 900 }), of(2, 1, { unit_price: 500 })]));
    expect(cart.state.lines.map(({ unit_price }) => unit_price)).toEqual([800, 2_000]);
  });

  test('again takes only what is new since', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.do(takeOver([of(1, 3)]));
    const once = cart.state;
    cart.do(takeOver([of(1, 3)]));
    expect(cart.state).toBe(once);
    cart.do(takeOver([of(1, 5), of(2, 1)], { version: 2 }));
    expect(held(cart.state)).toEqual({ 'Thing 1': 5, 'Thing 2': 1 });
    expect(cart.state.mergedSources).toMatchObject([{ source: 'source', version: 2 }]);
    cart.do(takeOver([of(1, 3)], { source: 'another' }));
    expect(held(cart.state)).toEqual({ 'Thing 1': 8, 'Thing 2': 1 });
  });

  test('remembers a bounded number of sources', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    for (let n = 0; n < 9; n++) cart.do(takeOver([of(1, 1)], { source: `source ${n}` }));
    expect(cart.state.mergedSources.map(({ source }) => source)).toEqual([
      'source 8',
      'source 7',
      'source 6',
      'source 5',
    ]);
  });

  test('creates no cart when the source is empty', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.do(takeOver([]));
    expect(cart.state).toBe(NO_CART);
  });

  test('refuses a merge with too many lines as a whole', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    for (let n = 0; n < LIMITS.linesMax; n++) cart.add(offer(1, { variant_id: `v${n}` }), 1);
    const before = cart.state;
    expect(cart.tell(takeOver([of(2, 1)]))).toMatchObject({ code: 'conflict' });
    expect(cart.state).toBe(before);
  });
});

describe('closing', () => {
  test('leaves nothing in the cart, and what is put in next is another cart', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    cart.do({ type: 'AddCode', settings: SHOP, code: 'SPRING' });
    const first = cart.state;
    cart.do(convertOf(first));
    expect(cart.state).toMatchObject({ id: first.id, status: 'converted', lines: [], codes: [], version: 3 });
    cart.add(offer(2), 1);
    expect(cart.state).toMatchObject({ status: 'active', version: 1, generation: 1, codes: [] });
    expect(cart.state.id).not.toBe(first.id);
    expect(held(cart.state)).toEqual({ 'Thing 2': 1 });
  });

  test.each([
    ['that changed meanwhile', 1],
    ['in a version that never was', 9],
  ])('a cart %s does nothing', (_, version) => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    cart.add(offer(1), 1);
    expect(cart.do({ type: 'Merge', into: 'c:1', version }).cart).toMatchObject({ status: 'active', version: 2 });
  });

  test('a cart that is closed or was never begun does nothing', () => {
    const cart = livingCart();
    expect(cart.do({ type: 'Merge', into: 'c:1', version: 0 }).cart).toBe(NO_CART);
    cart.add(offer(1), 1);
    cart.do({ type: 'Merge', into: 'c:1', version: 1 });
    expect(cart.do(convertOf(cart.state)).cart.status).toBe('merged');
  });
});

describe('time', () => {
  const HOUR = SHOP.abandonedAfterMs;
  const events = (cart: ReturnType<typeof livingCart>) => cart.events.map(({ type }) => type);

  test('abandons a customer’s cart once after each activity', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1), 1);
    expect(CART.dueAt(cart.state)).toBe(cart.now + HOUR);
    cart.now += HOUR - 1;
    cart.do({ type: 'Due' });
    expect(events(cart)).toEqual(['cart.created']);
    cart.now += 1;
    cart.do({ type: 'Due' });
    cart.do({ type: 'Due' });
    expect(events(cart)).toEqual(['cart.created', 'cart.abandoned']);
    expect(CART.dueAt(cart.state)).toBeNull();
    cart.add(offer(1), 1);
    cart.now += HOUR;
    cart.do({ type: 'Due' });
    expect(events(cart)).toEqual(['cart.created', 'cart.abandoned', 'cart.updated', 'cart.abandoned']);
  });

  test('does not abandon what is empty, closed or anonymous', () => {
    const emptied = livingCart(cartKey({ customer: CUSTOMER }));
    emptied.add(offer(1), 1);
    emptied.do({ type: 'Empty', settings: SHOP });
    const closed = livingCart(cartKey({ customer: CUSTOMER }));
    closed.add(offer(1), 1);
    closed.do(convertOf(closed.state));
    expect([emptied, closed].map(({ state }) => CART.dueAt(state))).toEqual([null, null]);
    const anonymous = livingCart();
    anonymous.add(offer(1), 1);
    anonymous.now += 2 * HOUR;
    anonymous.do({ type: 'Due' });
    expect(events(anonymous)).toEqual(['cart.created']);
  });

  test('expires an anonymous cart, and forgets it later', () => {
    const cart = livingCart();
    cart.add(offer(1), 1);
    const { id } = cart.state;
    expect(CART.dueAt(cart.state)).toBe(cart.now + CART_LIMITS.expiresAfterMs);
    cart.now = CART.dueAt(cart.state)!;
    cart.do({ type: 'Due' });
    expect(cart.state).toMatchObject({ id, status: 'expired', lines: [] });
    expect(CART.isDisposable(cart.state)).toBe(false);
    cart.now = CART.dueAt(cart.state)!;
    cart.do({ type: 'Due' });
    expect(cart.state).toEqual(NO_CART);
    expect(CART.isDisposable(cart.state)).toBe(true);
    expect(CART.dueAt(cart.state)).toBeNull();
  });
});

test('a retry of one command leads to the same facts', () => {
  const facts = [0, 1].map(() => {
    const cart = livingCart();
    cart.tell(addOf(offer(1), 2), 'one');
    return cart.facts;
  });
  expect(facts[0]).toEqual(facts[1]);
});
