// Tests quotes over HTTP: prices, taxes, expiry and the buyer's answer.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import {
  ANY_ID,
  about,
  accept,
  as,
  asStore,
  clock,
  closeShop,
  DAY_MS,
  doorkeeper,
  errorOf,
  keys,
  made,
  NAIROBI,
  newBuyer,
  newRfq,
  newVariant,
  openShop,
  publishedEvents,
  sendQuote,
  stoa,
  UUID,
} from '#test/services/b2b/shop.ts';
import type { Shopper } from '#test/support/session.ts';

let ada: Shopper;
let eve: Shopper;
let shoe: string;
let book: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  eve = await newBuyer();
  const { category } = await made(asStore()('POST', '/v1/categories', { name: 'Books' }));
  shoe = await newVariant();
  book = await newVariant({ name: 'Book', sku: 'BOOK', category_id: category.id });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.08, category_id: category.id }));
  await made(asStore()('POST', '/v1/tax-rates', { name: 'GST', country: 'UG', rate: 0.1 }));
});
afterAll(() => closeShop());
beforeEach(() => clock.advance(1_000));

const now = () => clock.now({ store: keys.store_id, environment: 'sandbox' });
const inDays = (days: number): string => new Date(now().getTime() + days * DAY_MS).toISOString();
const hundred = () => [{ variant_id: shoe, quantity: 100, unit_price: 7.5 }];
const statusOf = async (path: string): Promise<string> => (await made(asStore()('GET', path))).data.status;

describe('a quote', () => {
  test('goes to the buyer of the request it answers', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, quantity: 100 }]);
    const { status, body } = await asStore()('POST', '/v1/b2b/quotes', { rfq_id: rfq.id, items: hundred() });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(UUID),
      quote_number: 'Q-1001',
      rfq_id: rfq.id,
      customer_id: ada.id,
      status: 'sent',
      currency: 'USD',
      items: [{ id: expect.stringMatching(UUID), variant_id: shoe, quantity: 100, unit_price: 7.5, total: 750 }],
      subtotal: 750,
      tax_amount: 120,
      total: 870,
      payment_terms: 'net_30',
      valid_until: inDays(30),
      shipping_address: null,
      note: null,
      reason: null,
      created_at: now().toISOString(),
    });
    expect(await statusOf(`/v1/b2b/rfqs/${rfq.id}`)).toBe('quoted');
    for (const call of [as(ada), asStore()])
      expect((await made(call('GET', `/v1/b2b/quotes/${body.data.id}`))).data).toEqual(body.data);
    const [, event] = await publishedEvents(2);
    expect([event!.type, event!.data.object]).toEqual(['b2b.quote.sent', body.data]);
    // Further quotes may follow until one is accepted.
    const second = await sendQuote({
      rfq_id: rfq.id.toUpperCase(),
      customer_id: ada.id.toUpperCase(),
      items: hundred(),
    });
    expect([second.quote_number, second.rfq_id, second.customer_id]).toEqual(['Q-1002', rfq.id, ada.id]);
  });

  test('accepts customer, terms, expiry, address and note without a request', async () => {
    const valid_until = inDays(3);
    const quote = await sendQuote({
      customer_id: ada.id.toUpperCase(),
      items: [
        { variant_id: shoe, quantity: 3, unit_price: 9.99 },
        { variant_id: book, quantity: 10, unit_price: 1.01 },
        { variant_id: shoe, quantity: 4, unit_price: 9.99 },
      ],
      payment_terms: 'net_60',
      valid_until,
      shipping_address: NAIROBI,
      note: 'Carriage paid.',
    });
    expect(quote).toMatchObject({
      rfq_id: null,
      customer_id: ada.id,
      payment_terms: 'net_60',
      valid_until,
      note: 'Carriage paid.',
      shipping_address: { ...NAIROBI, line2: null, state: null },
    });
    expect(quote.items.map(({ quantity, unit_price, total }) => [quantity, unit_price, total])).toEqual([
      [7, 9.99, 69.93],
      [10, 1.01, 10.1],
    ]);
    // 16 % of 69.93 and 8 % of 10.10, each rounded half up per line.
    expect([quote.subtotal, quote.tax_amount, quote.total]).toEqual([80.03, 12, 92.03]);
  });

  test('uses taxes of its destination, else of the store’s country', async () => {
    const taxOf = async (given: object) =>
      (await sendQuote({ customer_id: ada.id, items: hundred(), ...given })).tax_amount;
    expect(await taxOf({})).toBe(120);
    expect(await taxOf({ shipping_address: { ...NAIROBI, country: 'ug' } })).toBe(75);
    expect(await taxOf({ shipping_address: { ...NAIROBI, country: 'DE' } })).toBe(0);
  });

  test('adds no tax when prices include it', async () => {
    const inclusive = await stoa.createStore({ wholesale: true, country: 'KE' });
    await made(stoa.send('PATCH', '/v1/store', { key: inclusive.secret_key, body: { tax_inclusive: true } }));
    const call = asStore(inclusive);
    await made(call('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
    const variant_id = await newVariant({}, inclusive);
    const { customer } = await made(call('POST', '/v1/customers', { email: 'ada@example.com' }));
    const items = [{ variant_id, quantity: 100, unit_price: 7.5 }];
    const { data } = await made(call('POST', '/v1/b2b/quotes', { customer_id: customer.id, items }));
    expect([data.subtotal, data.tax_amount, data.total]).toEqual([750, 103.45, 750]);
  });

  test('accepts a price of 0', async () => {
    const quote = await sendQuote({ customer_id: ada.id, items: [{ variant_id: shoe, quantity: 1, unit_price: 0 }] });
    expect([quote.subtotal, quote.tax_amount, quote.total]).toEqual([0, 0, 0]);
  });

  test.each([
    ['rfq_id', {}],
    ['rfq_id', { rfq_id: 'none' }],
    ['items', { customer_id: ANY_ID }],
    ['items', { customer_id: ANY_ID, items: [] }],
    [
      'items',
      {
        customer_id: ANY_ID,
        items: Array.from({ length: 501 }, () => ({ variant_id: ANY_ID, quantity: 1, unit_price: 1 })),
      },
    ],
    ['items[0].unit_price', { customer_id: ANY_ID, items: [{ variant_id: ANY_ID, quantity: 1 }] }],
    ['items[0].unit_price', { customer_id: ANY_ID, items: [{ variant_id: ANY_ID, quantity: 1, unit_price: -0.01 }] }],
    ['items[0].unit_price', { customer_id: ANY_ID, items: [{ variant_id: ANY_ID, quantity: 1, unit_price: '7' }] }],
    ['payment_terms', { payment_terms: 'net_45' }],
    ['valid_until', { valid_until: 'tomorrow' }],
    ['shipping_address.country', { shipping_address: { ...NAIROBI, country: 'XX' } }],
    ['note', { note: 'x'.repeat(2_001) }],
  ])('with a bad %s is refused', async (param, given) => {
    const whole = param === 'rfq_id' || param.startsWith('items') ? {} : { customer_id: ada.id };
    const items = 'items' in given || param === 'items' ? {} : { items: hundred() };
    const reply = await asStore()('POST', '/v1/b2b/quotes', { ...whole, ...items, ...given });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', param]);
  });

  test('refuses a past expiry, too many decimals and amounts above the limit', async () => {
    const refused = async (given: object) =>
      errorOf(await asStore()('POST', '/v1/b2b/quotes', { customer_id: ada.id, items: hundred(), ...given }));
    expect(await refused({ valid_until: now().toISOString() })).toEqual([400, 'invalid_request', 'valid_until']);
    const at = (quantity: number, unit_price: number) => ({ variant_id: shoe, quantity, unit_price });
    for (const [items, param] of [
      [[at(1, 7.505)], 'items[0].unit_price'],
      [[at(2, 50_000_000)], 'items[0].unit_price'],
      [[at(1_000_000, 99_999_999.99)], 'items[0].unit_price'],
      // With tax the total exceeds the limit of an order.
      [[at(1, 99_999_999)], 'items'],
      [[at(1, 7), { ...at(1, 8), variant_id: shoe.toUpperCase() }], 'items[1].unit_price'],
      [[at(1_000_000, 1), at(1, 1)], 'items[1].quantity'],
    ] as const)
      expect(await refused({ items })).toEqual([400, 'invalid_request', param]);
  });

  test('refuses unknown references, naming each field', async () => {
    const outsider = await doorkeeper.signIn(await stoa.createStore());
    for (const [given, param] of [
      [{ rfq_id: ANY_ID }, 'rfq_id'],
      [{ customer_id: ANY_ID }, 'customer_id'],
      [{ customer_id: outsider.id }, 'customer_id'],
      [
        { customer_id: ada.id, items: [...hundred(), { variant_id: ANY_ID, quantity: 1, unit_price: 1 }] },
        'items[1].variant_id',
      ],
    ] as const)
      expect(errorOf(await asStore()('POST', '/v1/b2b/quotes', { items: hundred(), ...given }))).toEqual([
        404,
        'not_found',
        param,
      ]);
  });

  test('refuses the request of another customer', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, quantity: 1 }]);
    const reply = await asStore()('POST', '/v1/b2b/quotes', { rfq_id: rfq.id, customer_id: eve.id, items: hundred() });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'customer_id']);
  });

  test('refuses the request of a deleted buyer', async () => {
    const gone = await newBuyer();
    const rfq = await newRfq(gone, [{ variant_id: shoe, quantity: 1 }]);
    await made(asStore()('DELETE', `/v1/customers/${gone.id}`));
    const reply = await asStore()('POST', '/v1/b2b/quotes', { rfq_id: rfq.id, items: hundred() });
    expect(errorOf(reply)).toEqual([404, 'not_found', 'rfq_id']);
  });

  test('refuses a cancelled or closed request', async () => {
    const cancelled = await newRfq(ada, [{ variant_id: shoe, quantity: 1 }]);
    await made(as(ada)('POST', `/v1/b2b/rfqs/${cancelled.id}/cancel`));
    const closed = await newRfq(ada, [{ variant_id: shoe, quantity: 1 }]);
    await accept(ada, await sendQuote({ rfq_id: closed.id, items: hundred() }));
    for (const { id } of [cancelled, closed]) {
      const reply = await asStore()('POST', '/v1/b2b/quotes', { rfq_id: id, items: hundred() });
      expect(errorOf(reply)).toEqual([409, 'conflict', 'rfq_id']);
    }
  });

  test('requires a secret key', async () => {
    expect((await as(ada)('POST', '/v1/b2b/quotes', { customer_id: ada.id, items: hundred() })).status).toBe(403);
  });
});

describe('the buyer’s answer', () => {
  let quote: WholesaleQuote;
  beforeEach(async () => {
    quote = await sendQuote({ customer_id: ada.id, items: hundred() });
  });

  test.each([
    ['accept', 'accepted', 'b2b.quote.accepted'],
    ['reject', 'rejected', 'b2b.quote.rejected'],
  ])('%s makes it %s, with a reason or without', async (verb, status, type) => {
    const { data } = await made(as(ada)('POST', `/v1/b2b/quotes/${quote.id}/${verb}`, { reason: 'As talked about.' }));
    expect(data).toEqual({ ...quote, status, reason: 'As talked about.' });
    const other = await sendQuote({ customer_id: ada.id, items: hundred() });
    expect((await made(as(ada)('POST', `/v1/b2b/quotes/${other.id}/${verb}`))).data).toEqual({ ...other, status });
    const [published] = await publishedEvents(1, about(type, quote.id));
    expect([published!.data.object, published!.previous_attributes]).toEqual([data, { status: 'sent', reason: null }]);
  });

  test.each(['accept', 'reject'])('can %s once only', async (verb) => {
    await made(as(ada)('POST', `/v1/b2b/quotes/${quote.id}/${verb}`));
    for (const again of ['accept', 'reject'])
      expect(errorOf(await as(ada)('POST', `/v1/b2b/quotes/${quote.id}/${again}`))).toEqual([
        409,
        'conflict',
        undefined,
      ]);
  });

  test.each(['accept', 'reject'])('lets only the buyer %s', async (verb) => {
    const path = `/v1/b2b/quotes/${quote.id}/${verb}`;
    expect((await asStore()('POST', path)).status).toBe(401);
    expect((await as(eve)('POST', path)).status).toBe(404);
    expect((await as(eve)('GET', `/v1/b2b/quotes/${quote.id}`)).status).toBe(404);
    expect((await as(ada)('POST', `/v1/b2b/quotes/${ANY_ID}/${verb}`)).status).toBe(404);
    expect(errorOf(await as(ada)('POST', path, { reason: 'x'.repeat(2_001) }))).toEqual([
      400,
      'invalid_request',
      'reason',
    ]);
    expect(await statusOf(`/v1/b2b/quotes/${quote.id}`)).toBe('sent');
  });

  test('rejects the other open quotes of a request when one is accepted', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, quantity: 100 }]);
    const send = (given: object = {}) => sendQuote({ rfq_id: rfq.id, items: hundred(), ...given });
    const over = await send({ valid_until: inDays(1) });
    const [one, two, three] = [await send(), await send(), await send()];
    await made(as(ada)('POST', `/v1/b2b/quotes/${one.id}/reject`, { reason: 'Too dear.' }));
    clock.advance(DAY_MS);
    await accept(ada, two);
    const shown = async ({ id }: WholesaleQuote) => {
      const { data } = await made(asStore()('GET', `/v1/b2b/quotes/${id}`));
      return [data.status, data.reason];
    };
    expect([await shown(over), await shown(one), await shown(two), await shown(three)]).toEqual([
      ['expired', null],
      ['rejected', 'Too dear.'],
      ['accepted', null],
      ['rejected', null],
    ]);
    expect(await statusOf(`/v1/b2b/rfqs/${rfq.id}`)).toBe('closed');
    // Quotes of other requests are unchanged.
    expect(await statusOf(`/v1/b2b/quotes/${quote.id}`)).toBe('sent');
    const published = await publishedEvents(2, about('b2b.quote.rejected', over.id, one.id, two.id, three.id));
    expect(published.map(({ data }) => data.object.id)).toEqual([one.id, three.id]);
  });

  test('accepts one of two quotes accepted concurrently for one request', async () => {
    const rfq = await newRfq(ada, [{ variant_id: shoe, quantity: 100 }]);
    const quotes = [];
    for (let count = 0; count < 6; count++) quotes.push(await sendQuote({ rfq_id: rfq.id, items: hundred() }));
    const replies = await Promise.all(
      quotes.flatMap(({ id }) => [1, 2].map(() => as(ada)('POST', `/v1/b2b/quotes/${id}/accept`))),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
    const { data } = await made(asStore()('GET', `/v1/b2b/quotes?customer_id=${ada.id}&limit=100`));
    const outcome = data
      .filter(({ rfq_id }: WholesaleQuote) => rfq_id === rfq.id)
      .map(({ status }: WholesaleQuote) => status);
    expect(outcome.sort()).toEqual(['accepted', ...Array.from({ length: 5 }, () => 'rejected')]);
    const published = await publishedEvents(1, about('b2b.quote.accepted', ...quotes.map(({ id }) => id)));
    expect(published[0]!.data.object.rfq_id).toBe(rfq.id);
    await publishedEvents(5, about('b2b.quote.rejected', ...quotes.map(({ id }) => id)));
  });

  test('keeps one of a concurrent acceptance and rejection', async () => {
    const [accepted, rejected] = await Promise.all(
      ['accept', 'reject'].map((verb) => as(ada)('POST', `/v1/b2b/quotes/${quote.id}/${verb}`)),
    );
    expect([accepted!.status, rejected!.status].sort()).toEqual([200, 409]);
    expect(await statusOf(`/v1/b2b/quotes/${quote.id}`)).toBe(accepted!.status === 200 ? 'accepted' : 'rejected');
  });
});

describe('time', () => {
  test('expires a quote exactly at valid_until, in reads, lists and answers', async () => {
    const buyer = await newBuyer();
    const quote = await sendQuote({ customer_id: buyer.id, items: hundred(), valid_until: inDays(1) });
    const listed = async (status: string) =>
      (await made(as(buyer)('GET', `/v1/b2b/quotes?status=${status}`))).data.length;
    clock.advance(DAY_MS - 1);
    expect([await statusOf(`/v1/b2b/quotes/${quote.id}`), await listed('sent'), await listed('expired')]).toEqual([
      'sent',
      1,
      0,
    ]);
    clock.advance(1);
    expect([await statusOf(`/v1/b2b/quotes/${quote.id}`), await listed('sent'), await listed('expired')]).toEqual([
      'expired',
      0,
      1,
    ]);
    for (const verb of ['accept', 'reject'])
      expect(errorOf(await as(buyer)('POST', `/v1/b2b/quotes/${quote.id}/${verb}`))).toEqual([
        409,
        'conflict',
        undefined,
      ]);
  });

  test('leaves a quote accepted once or expired when it expires during concurrent acceptances', async () => {
    for (let count = 0; count < 4; count++) {
      const { id } = await sendQuote({ customer_id: ada.id, items: hundred(), valid_until: inDays(1) });
      const accepts = Array.from({ length: 6 }, () => as(ada)('POST', `/v1/b2b/quotes/${id}/accept`));
      await made(asStore()('POST', '/v1/sandbox/time-travel', { advance_seconds: 2 * 86_400 }));
      const taken = (await Promise.all(accepts)).filter(({ status }) => status === 200).length;
      expect(taken).toBeLessThanOrEqual(1);
      expect(await statusOf(`/v1/b2b/quotes/${id}`)).toBe(taken === 1 ? 'accepted' : 'expired');
      await publishedEvents(taken, about('b2b.quote.accepted', id));
      expect((await as(ada)('POST', `/v1/b2b/quotes/${id}/accept`)).status).toBe(409);
    }
  });
});

describe('lists', () => {
  test('show buyers their own quotes and the store all, by status and in pages', async () => {
    const buyer = await newBuyer();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      clock.advance(1_000);
      ids.unshift((await sendQuote({ customer_id: buyer.id, items: hundred() })).id);
    }
    const idsOf = ({ data }: { data: WholesaleQuote[] }) => data.map(({ id }) => id);
    expect(idsOf(await made(as(buyer)('GET', '/v1/b2b/quotes')))).toEqual(ids);
    expect(idsOf(await made(asStore()('GET', `/v1/b2b/quotes?customer_id=${buyer.id}`)))).toEqual(ids);
    expect((await as(buyer)('GET', `/v1/b2b/quotes?customer_id=${ada.id}`)).status).toBe(403);
    const first = await made(as(buyer)('GET', '/v1/b2b/quotes?limit=2&fields=id'));
    const rest = await made(as(buyer)('GET', `/v1/b2b/quotes?limit=2&cursor=${first.pagination.next_cursor}`));
    expect([...first.data, ...rest.data].map(({ id }) => id)).toEqual(ids);
    expect(first.data[0]).toEqual({ id: ids[0] });
    await accept(buyer, rest.data[0]);
    expect(idsOf(await made(as(buyer)('GET', '/v1/b2b/quotes?status=accepted')))).toEqual([ids[2]]);
    expect(idsOf(await made(as(buyer)('GET', '/v1/b2b/quotes?status=sent')))).toEqual(ids.slice(0, 2));
    expect((await as({ id: '', headers: {} })('GET', '/v1/b2b/quotes')).status).toBe(401);
  });
});
