// Tests purchase orders over HTTP: issue from a quote, visibility and refusals.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import {
  ANY_ID,
  about,
  accept,
  as,
  asStore,
  clock,
  closeShop,
  confirm,
  DAY_MS,
  doorkeeper,
  errorOf,
  issue,
  keys,
  made,
  NAIROBI,
  newBuyer,
  newVariant,
  openShop,
  publishedEvents,
  sendQuote,
  stoa,
  UUID,
} from '#test/services/b2b/shop.ts';
import { SESSION_HEADERS, type Shopper } from '#test/support/session.ts';

let ada: Shopper;
let eve: Shopper;
let shoe: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  eve = await newBuyer();
  shoe = await newVariant({ sku: 'TRAIL', stock: 100_000 });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
});
afterAll(() => closeShop());
beforeEach(() => clock.advance(1_000));

const now = () => clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString();
const pieces = (quantity: number, variant_id = shoe, unit_price = 7.5) => [{ variant_id, quantity, unit_price }];
const read = async (id: string): Promise<PurchaseOrder> =>
  (await made(asStore()('GET', `/v1/b2b/purchase-orders/${id}`))).data;
describe('a purchase order', () => {
  test('can be issued from an accepted quote, with the buyer’s number', async () => {
    const quote = await accept(
      ada,
      await sendQuote({ customer_id: ada.id, items: pieces(100), payment_terms: 'net_60' }),
    );
    clock.advance(60 * DAY_MS);
    const billing_address = { ...NAIROBI, line1: 'Box 12', country: 'ke' };
    const body = {
      quote_id: quote.id.toUpperCase(),
      po_number: 'PO-2026-017',
      shipping_address: NAIROBI,
      billing_address,
    };
    const reply = await as(ada)('POST', '/v1/b2b/purchase-orders', body);
    expect(reply.status).toBe(201);
    const { data } = reply.body;
    // All fields of the documented resource.
    expect(data).toEqual({
      id: expect.stringMatching(UUID),
      quote_id: quote.id,
      po_number: 'PO-2026-017',
      status: 'issued',
      currency: 'USD',
      subtotal: 750,
      tax_amount: 120,
      total: 870,
      payment_terms: 'net_60',
      created_at: now(),
      customer_id: ada.id,
      items: [{ id: expect.stringMatching(UUID), variant_id: shoe, quantity: 100, unit_price: 7.5, total: 750 }],
      shipping_address: expect.objectContaining({ ...NAIROBI, line2: null }),
      billing_address: expect.objectContaining({ line1: 'Box 12', country: 'KE' }),
      order_id: null,
      invoice_ids: [],
    });
    for (const call of [as(ada), asStore()])
      expect((await made(call('GET', `/v1/b2b/purchase-orders/${data.id}`))).data).toEqual(data);
    const [published] = await publishedEvents(1, about('b2b.po.issued', data.id));
    expect(published!.data.object).toEqual(data);
  });

  test('keeps the quoted tax when shipped to another address', async () => {
    const order = await issue(ada, pieces(100), { shipping_address: { ...NAIROBI, country: 'DE' } });
    expect([order.tax_amount, order.total, order.billing_address]).toEqual([120, 870, null]);
  });

  test('requires an accepted quote that no other purchase order uses', async () => {
    const send = (quote_id: string, po_number: string) =>
      as(ada)('POST', '/v1/b2b/purchase-orders', { quote_id, po_number, shipping_address: NAIROBI });
    const quote = await sendQuote({ customer_id: ada.id, items: pieces(1) });
    expect(errorOf(await send(quote.id, 'A-1'))).toEqual([409, 'conflict', 'quote_id']);
    await accept(ada, quote);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => send(quote.id, `A-${at}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    expect(errorOf(replies.find(({ status }) => status === 409)!)).toEqual([409, 'conflict', 'quote_id']);
    const rejected = await sendQuote({ customer_id: ada.id, items: pieces(1) });
    await made(as(ada)('POST', `/v1/b2b/quotes/${rejected.id}/reject`));
    expect(errorOf(await send(rejected.id, 'A-9'))).toEqual([409, 'conflict', 'quote_id']);
    const { id } = replies.find(({ status }) => status === 201)!.body.data;
    await made(as(ada)('POST', `/v1/b2b/purchase-orders/${id}/cancel`));
    expect(errorOf(await send(quote.id, 'A-10'))).toEqual([409, 'conflict', 'quote_id']);
  });

  test('refuses a number that its buyer has used before', async () => {
    const quotes: WholesaleQuote[] = [];
    for (let count = 0; count < 6; count++)
      quotes.push(await accept(ada, await sendQuote({ customer_id: ada.id, items: pieces(1) })));
    const send = (at: number, po_number: unknown) =>
      as(ada)('POST', '/v1/b2b/purchase-orders', { quote_id: quotes[at]!.id, po_number, shipping_address: NAIROBI });
    const spellings = ['SAME', 'same', ' Same', 'sAME ', 'SAME'];
    const replies = await Promise.all(spellings.map((number, at) => send(at, number)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(errorOf(replies.find(({ status }) => status === 409)!)).toEqual([409, 'conflict', 'po_number']);
    await made(
      as(ada)('POST', `/v1/b2b/purchase-orders/${replies.find(({ status }) => status === 201)!.body.data.id}/cancel`),
    );
    expect(errorOf(await send(5, 'Same '))).toEqual([409, 'conflict', 'po_number']);
    const others = await issue(eve, pieces(1), { po_number: 'SAME' });
    expect(others.po_number).toBe('SAME');
    for (const bad of ['', ' ', 'x'.repeat(51), 7, null])
      expect(errorOf(await send(5, bad))).toEqual([400, 'invalid_request', 'po_number']);
    expect((await send(5, 'x'.repeat(50))).status).toBe(201);
  });

  test.each([
    ['quote_id', { quote_id: undefined }],
    ['quote_id', { quote_id: 'none' }],
    ['po_number', { po_number: undefined }],
    ['shipping_address', { shipping_address: undefined }],
    ['shipping_address.country', { shipping_address: { ...NAIROBI, country: 'XX' } }],
    ['shipping_address.longitude', { shipping_address: { ...NAIROBI, latitude: 1 } }],
    ['billing_address.country', { billing_address: { ...NAIROBI, country: 'Kenya' } }],
  ])('with a bad %s is refused', async (param, given) => {
    const body = { quote_id: ANY_ID, po_number: 'B-1', shipping_address: NAIROBI, ...given };
    expect(errorOf(await as(ada)('POST', '/v1/b2b/purchase-orders', body))).toEqual([400, 'invalid_request', param]);
  });

  test('stays invisible to other buyers', async () => {
    const quote = await accept(ada, await sendQuote({ customer_id: ada.id, items: pieces(1) }));
    const body = { quote_id: quote.id, po_number: 'C-1', shipping_address: NAIROBI };
    expect(errorOf(await as(eve)('POST', '/v1/b2b/purchase-orders', body))).toEqual([404, 'not_found', 'quote_id']);
    expect((await asStore()('POST', '/v1/b2b/purchase-orders', body)).status).toBe(401);
    const { data } = await made(as(ada)('POST', '/v1/b2b/purchase-orders', body));
    expect(errorOf(await as(eve)('GET', `/v1/b2b/purchase-orders/${data.id}`))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await as(ada)('GET', `/v1/b2b/purchase-orders/${ANY_ID}`))).toEqual([404, 'not_found', undefined]);
    const two = { ...ada.headers, 'x-auth-token': 'at_0000000000000000000000000000000000000000000' };
    expect((await as({ id: ada.id, headers: two })('GET', `/v1/b2b/purchase-orders/${data.id}`)).status).toBe(400);
    expect((await as({ id: '', headers: {} })('GET', `/v1/b2b/purchase-orders/${data.id}`)).status).toBe(401);
    expect((await as(eve)('POST', `/v1/b2b/purchase-orders/${data.id}/cancel`)).status).toBe(404);
    for (const verb of ['confirm', 'fulfill'])
      expect((await as(ada)('POST', `/v1/b2b/purchase-orders/${data.id}/${verb}`)).status).toBe(403);
  });

  test.each(SESSION_HEADERS)('can be read with a session in %s', async (header) => {
    // Assertions expire by real time.
    const buyer = await doorkeeper.signIn(keys);
    const order = await issue(buyer, pieces(1));
    const session = await doorkeeper.assert(keys, header, buyer);
    for (const key of [keys.publishable_test_key, keys.secret_test_key]) {
      const reply = await stoa.send('GET', `/v1/b2b/purchase-orders/${order.id}`, { key, headers: session.headers });
      expect([reply.status, reply.body]).toEqual([200, { data: order }]);
    }
  });

  test('stays within its environment', async () => {
    const order = await issue(ada, pieces(1));
    const live = (method: string, path: string) => stoa.send(method, path, { key: keys.secret_key });
    expect((await live('GET', `/v1/b2b/purchase-orders/${order.id}`)).status).toBe(404);
    expect((await live('GET', `/v1/b2b/quotes/${order.quote_id}`)).status).toBe(404);
    expect((await live('POST', `/v1/b2b/purchase-orders/${order.id}/confirm`)).status).toBe(404);
    for (const list of ['rfqs', 'quotes', 'purchase-orders', 'invoices'])
      expect((await live('GET', `/v1/b2b/${list}`)).body.data).toEqual([]);
    expect((await read(order.id)).status).toBe('issued');
  });

  test('appears in lists of its buyer and of the store, by status', async () => {
    const buyer = await newBuyer();
    const [one, two, three] = [
      await issue(buyer, pieces(1)),
      await issue(buyer, pieces(1)),
      await issue(buyer, pieces(1)),
    ];
    await confirm(two);
    await made(as(buyer)('POST', `/v1/b2b/purchase-orders/${one.id}/cancel`));
    const ids = async (query: string, call = as(buyer)) =>
      (await made(call('GET', `/v1/b2b/purchase-orders?limit=100${query}`))).data.map(({ id }: PurchaseOrder) => id);
    expect((await ids('')).sort()).toEqual([one.id, two.id, three.id].sort());
    expect(await ids('&status=issued')).toEqual([three.id]);
    expect(await ids('&status=confirmed')).toEqual([two.id]);
    expect(await ids('&status=cancelled', as(buyer))).toEqual([one.id]);
    expect((await ids(`&customer_id=${buyer.id}`, asStore())).sort()).toEqual([one.id, two.id, three.id].sort());
    expect((await ids('', asStore())).length).toBeGreaterThan(3);
    expect((await as(buyer)('GET', `/v1/b2b/purchase-orders?customer_id=${ada.id}`)).status).toBe(403);
    const first = await made(as(buyer)('GET', '/v1/b2b/purchase-orders?limit=2'));
    const rest = await made(as(buyer)('GET', `/v1/b2b/purchase-orders?limit=2&cursor=${first.pagination.next_cursor}`));
    expect([...first.data, ...rest.data].map(({ id }: PurchaseOrder) => id)).toEqual(await ids(''));
  });
});

test('another store sees none of it', async () => {
  const other = await stoa.createStore({ wholesale: true });
  const order = await issue(ada, pieces(1));
  for (const [method, path] of [
    ['GET', `/v1/b2b/purchase-orders/${order.id}`],
    ['POST', `/v1/b2b/purchase-orders/${order.id}/confirm`],
    ['POST', `/v1/b2b/purchase-orders/${order.id}/cancel`],
    ['GET', `/v1/b2b/quotes/${order.quote_id}`],
  ] as const)
    expect((await asStore(other)(method, path)).status).toBe(404);
});
