// Purchase orders over HTTP: what a buyer orders of an accepted quote, and the order that the store makes of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PurchaseOrder, WholesaleQuote } from '#proto/gen/b2b.ts';
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
  errorOf,
  eventsTold,
  insist,
  issue,
  keys,
  levelOf,
  made,
  NAIROBI,
  newBuyer,
  newVariant,
  openShop,
  orderOf,
  sendQuote,
  signed,
  stoa,
  UUID,
} from '#test/services/b2b/shop.ts';
import { eventually } from '#test/support/server.ts';
import type { Shopper } from '#test/support/session.ts';

let ada: Shopper;
let eve: Shopper;
let shoe: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  eve = await newBuyer();
  shoe = await newVariant({ sku: 'TRAIL', stock: 100_000 });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
  // Whatever a shopper would be charged or saved: it is not agreed on.
  await made(asStore()('PUT', '/v1/shipping/config', { fallback: { rate: { fee: 20 } } }));
  await made(asStore()('POST', '/v1/promotions', { name: 'Sale', type: 'percentage', value: 50, status: 'active' }));
});
afterAll(() => closeShop());
beforeEach(() => clock.advance(1_000));

const now = () => clock.now({ store: keys.store_id, environment: 'sandbox' }).toISOString();
const pieces = (quantity: number, variant_id = shoe, unit_price = 7.5) => [{ variant_id, quantity, unit_price }];
const read = async (id: string): Promise<PurchaseOrder> =>
  (await made(asStore()('GET', `/v1/b2b/purchase-orders/${id}`))).data;
const move = (id: string, verb: string, body?: unknown, headers = {}) =>
  asStore()('POST', `/v1/b2b/purchase-orders/${id}/${verb}`, body, headers);

describe('a purchase order', () => {
  test('is issued from an accepted quote, with the buyer’s number', async () => {
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
    // The specification's fields of a purchase order, "plus items, shipping_address, invoice_ids".
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
    const [told] = await eventsTold(1, about('b2b.po.issued', data.id));
    expect(told!.data.object).toEqual(data);
  });

  // "a purchase order sent elsewhere keeps the quoted tax"
  test('that is sent elsewhere keeps the quoted tax', async () => {
    const order = await issue(ada, pieces(100), { shipping_address: { ...NAIROBI, country: 'DE' } });
    expect([order.tax_amount, order.total, order.billing_address]).toEqual([120, 870, null]);
  });

  // "an accepted quote's, once (409)"
  test('is of an accepted quote, and of each once', async () => {
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
    // "A cancelled purchase order's number stays used and its quote spent."
    const { id } = replies.find(({ status }) => status === 201)!.body.data;
    await made(as(ada)('POST', `/v1/b2b/purchase-orders/${id}/cancel`));
    expect(errorOf(await send(quote.id, 'A-10'))).toEqual([409, 'conflict', 'quote_id']);
  });

  // "`po_number` 1 to 50 characters, once a customer (409)"
  test('has a number that its buyer has not used before', async () => {
    const quotes: WholesaleQuote[] = [];
    for (let count = 0; count < 6; count++)
      quotes.push(await accept(ada, await sendQuote({ customer_id: ada.id, items: pieces(1) })));
    const send = (at: number, po_number: unknown) =>
      as(ada)('POST', '/v1/b2b/purchase-orders', { quote_id: quotes[at]!.id, po_number, shipping_address: NAIROBI });
    const replies = await Promise.all(quotes.slice(0, 5).map((_, at) => send(at, 'SAME')));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(errorOf(replies.find(({ status }) => status === 409)!)).toEqual([409, 'conflict', 'po_number']);
    await made(
      as(ada)('POST', `/v1/b2b/purchase-orders/${replies.find(({ status }) => status === 201)!.body.data.id}/cancel`),
    );
    expect(errorOf(await send(5, 'SAME'))).toEqual([409, 'conflict', 'po_number']);
    const others = await issue(eve, pieces(1), { po_number: 'SAME' });
    expect(others.po_number).toBe('SAME');
    for (const bad of ['', 'x'.repeat(51), 7, null])
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

  test('is its buyer’s alone', async () => {
    const quote = await accept(ada, await sendQuote({ customer_id: ada.id, items: pieces(1) }));
    const body = { quote_id: quote.id, po_number: 'C-1', shipping_address: NAIROBI };
    expect(errorOf(await as(eve)('POST', '/v1/b2b/purchase-orders', body))).toEqual([404, 'not_found', 'quote_id']);
    expect((await asStore()('POST', '/v1/b2b/purchase-orders', body)).status).toBe(401);
    const { data } = await made(as(ada)('POST', '/v1/b2b/purchase-orders', body));
    // "Errors: 404"
    expect(errorOf(await as(eve)('GET', `/v1/b2b/purchase-orders/${data.id}`))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await as(ada)('GET', `/v1/b2b/purchase-orders/${ANY_ID}`))).toEqual([404, 'not_found', undefined]);
    // "API key plus buyer session (…exactly one)"
    const two = { ...ada.headers, 'x-auth-token': 'at_0000000000000000000000000000000000000000000' };
    expect((await as({ id: ada.id, headers: two })('GET', `/v1/b2b/purchase-orders/${data.id}`)).status).toBe(400);
    expect((await as({ id: '', headers: {} })('GET', `/v1/b2b/purchase-orders/${data.id}`)).status).toBe(401);
    expect((await as(eve)('POST', `/v1/b2b/purchase-orders/${data.id}/cancel`)).status).toBe(404);
    for (const verb of ['confirm', 'fulfill'])
      expect((await as(ada)('POST', `/v1/b2b/purchase-orders/${data.id}/${verb}`)).status).toBe(403);
  });

  test('is listed, the buyer’s own, all of the store’s, by status', async () => {
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

describe('confirming', () => {
  // "confirm makes an order at the quoted prices and takes its stock"
  test('places an order at the quoted prices, confirmed, without promotion or delivery charge', async () => {
    const sock = await newVariant({ name: 'Sock', sku: 'SOCK', price: 2, stock: 10 });
    const order = await issue(ada, [...pieces(100), ...pieces(4, sock, 1.11)], {
      quote: { payment_terms: 'net_7' },
      billing_address: { ...NAIROBI, line1: 'Box 12' },
    });
    // Prices change; what was agreed on does not.
    clock.advance(DAY_MS);
    const [before] = await levelOf(shoe);
    const { status, body } = await move(order.id, 'confirm');
    expect([status, body.data]).toEqual([
      200,
      { ...order, status: 'confirmed', order_id: expect.stringMatching(UUID) },
    ]);
    expect(await read(order.id)).toEqual(body.data);
    const placed = await orderOf(body.data);
    expect(placed).toMatchObject({
      id: body.data.order_id,
      customer_id: ada.id,
      email: expect.stringContaining('@'),
      // "Its order starts `confirmed`"
      order_status: 'confirmed',
      payment_status: 'pending',
      subtotal: 754.44,
      // "no delivery charge and no promotion"
      discount_total: 0,
      shipping_total: 0,
      shipping_tax: 0,
      applied_promotions: [],
      tax_total: 120.71,
      total_amount: 875.15,
      amount_due: 875.15,
      shipping_address: { line1: '12 Moi Avenue' },
      billing_address: { line1: 'Box 12' },
      shipping_option_id: null,
    });
    expect(
      placed.items.map(({ sku, quantity, unit_price, subtotal, tax_amount, total }) => [
        sku,
        quantity,
        unit_price,
        subtotal,
        tax_amount,
        total,
      ]),
    ).toEqual([
      ['TRAIL', 100, 7.5, 750, 120, 870],
      ['SOCK', 4, 1.11, 4.44, 0.71, 5.15],
    ]);
    await eventually(async () => {
      expect(await levelOf(shoe)).toEqual([before - 100, before - 100]);
      expect(await levelOf(sock)).toEqual([6, 6]);
    });
    const [told] = await eventsTold(1, about('b2b.po.confirmed', order.id));
    expect([told!.data.object, told!.previous_attributes]).toEqual([body.data, { status: 'issued', order_id: null }]);
    const [created] = await eventsTold(1, about('order.created', placed.id));
    expect(created!.data.object).toEqual(placed);
    await eventsTold(0, about('order.paid', placed.id));
  });

  // "paid by its invoices alone (initialize and PATCH paid: 409)"
  test('makes an order that nothing but its invoices pays', async () => {
    const placed = await orderOf(await confirm(await issue(ada, pieces(1))));
    const wish = { provider: 'card_checkout', amount: placed.amount_due, email: placed.email, order_id: placed.id };
    expect(errorOf(await signed('POST', '/v1/payments/initialize', wish))).toEqual([409, 'conflict', 'order_id']);
    const patch = await signed('PATCH', `/v1/orders/${placed.id}`, { payment_status: 'paid' });
    expect(errorOf(patch)).toEqual([409, 'conflict', 'payment_status']);
    expect((await made(signed('PATCH', `/v1/orders/${placed.id}`, { note: 'Ramp 4' }))).order.note).toBe('Ramp 4');
  });

  test('what costs nothing is paid at once', async () => {
    const placed = await orderOf(await confirm(await issue(ada, pieces(1, shoe, 0))));
    expect([placed.total_amount, placed.payment_status, placed.order_status]).toEqual([0, 'paid', 'confirmed']);
    await eventsTold(1, about('order.paid', placed.id));
  });

  // "(409 `insufficient_stock` leaves it issued)"
  test('more than there is leaves it issued, and holds nothing', async () => {
    const rare = await newVariant({ stock: 5 });
    const ample = await newVariant({ stock: 50 });
    const order = await issue(ada, [...pieces(10, ample), ...pieces(6, rare)]);
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'insufficient_stock', 'items[1].quantity']);
    expect(await read(order.id)).toEqual(order);
    expect([await levelOf(ample), await levelOf(rare)]).toEqual([
      [50, 50],
      [5, 5],
    ]);
    await made(asStore()('POST', '/v1/inventory/adjustments', { variant_id: rare, delta: 1 }));
    await confirm(order);
    await eventually(async () =>
      expect([await levelOf(ample), await levelOf(rare)]).toEqual([
        [40, 40],
        [0, 0],
      ]),
    );
    await eventsTold(1, about('b2b.po.confirmed', order.id));
  });

  test('what is not sold any more is refused', async () => {
    const gone = await made(asStore()('POST', '/v1/products', { name: 'Gone', price: 1, stock: 5 }));
    const order = await issue(ada, pieces(1, gone.variant_id));
    await made(asStore()('PATCH', `/v1/products/${gone.id}`, { is_active: false }));
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'conflict', 'items[0].variant_id']);
    expect((await read(order.id)).status).toBe('issued');
  });

  test('comes once, however many ask at once, and under one key is answered alike', async () => {
    const only = await newVariant({ stock: 100 });
    const order = await issue(ada, pieces(30, only));
    const replies = await Promise.all(Array.from({ length: 6 }, () => move(order.id, 'confirm')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    await eventually(async () => expect(await levelOf(only)).toEqual([70, 70]));
    await eventsTold(1, about('b2b.po.confirmed', order.id));
    expect(errorOf(await move(order.id, 'confirm'))).toEqual([409, 'conflict', undefined]);
    const another = await issue(ada, pieces(30, only));
    const key = { 'Idempotency-Key': 'confirm-once' };
    const first = await move(another.id, 'confirm', undefined, key);
    const again = await move(another.id, 'confirm', undefined, key);
    expect([first.status, again.status, again.body.data, again.body.idempotent]).toEqual([
      200,
      200,
      first.body.data,
      true,
    ]);
    await eventually(async () => expect(await levelOf(only)).toEqual([40, 40]));
  });

  // "Confirming takes stock exactly as checkout does"
  test('beside 200 shoppers sells no piece twice', { timeout: 120_000 }, async () => {
    const scarce = await newVariant({ stock: 150, shipping_info: { requires_shipping: false } });
    const orders: PurchaseOrder[] = [];
    for (let count = 0; count < 4; count++) orders.push(await issue(ada, pieces(20, scarce)));
    const shoppers = Array.from({ length: 200 }, (_, at) => {
      const body = { items: [{ variant_id: scarce, quantity: 1 }], email: `shopper${at}@example.com` };
      return insist((key) => signed('POST', '/v1/orders', body, key));
    });
    const confirmed = orders.map(({ id }) => insist((key) => move(id, 'confirm', undefined, key)));
    const [bought, taken] = await Promise.all([Promise.all(shoppers), Promise.all(confirmed)]);
    const sold =
      bought.filter(({ status }) => status === 201).length + 20 * taken.filter(({ status }) => status === 200).length;
    for (const { status, body } of [...bought, ...taken])
      if (status >= 300) expect([status, body.error.code]).toEqual([409, 'insufficient_stock']);
    expect(sold).toBeGreaterThan(150 - 20);
    await eventually(async () => expect(await levelOf(scarce)).toEqual([150 - sold, 150 - sold]));
  });
});

describe('fulfilling', () => {
  // "fulfill `{ carrier?, tracking_number?, tracking_url? }` ships that order"
  test('ships the order, with how it can be followed', async () => {
    const order = await confirm(await issue(ada, pieces(3)));
    const sent = { carrier: 'DHL', tracking_number: '0034', tracking_url: 'https://track.example.com/0034' };
    const { status, body } = await move(order.id, 'fulfill', sent);
    expect([status, body.data]).toEqual([200, { ...order, status: 'fulfilled' }]);
    const placed = await orderOf(order);
    expect(placed).toMatchObject({ order_status: 'shipped', ...sent });
    expect(placed.shipments).toMatchObject([{ ...sent, items: [{ quantity: 3 }], label_url: null }]);
    expect(placed.items[0]!.quantity_fulfilled).toBe(3);
    const [told] = await eventsTold(1, about('b2b.po.fulfilled', order.id));
    expect([told!.data.object, told!.previous_attributes]).toEqual([body.data, { status: 'confirmed' }]);
    await eventsTold(1, about('order.fulfilled', placed.id));
    await eventsTold(0, about('order.shipped', placed.id));
    expect(errorOf(await move(order.id, 'fulfill', sent))).toEqual([409, 'conflict', undefined]);
  });

  test('needs no body, and sends what no parcel has taken before', async () => {
    const order = await confirm(await issue(ada, pieces(3)));
    const [line] = (await orderOf(order)).items;
    const parcel = { carrier: 'Own', tracking_number: '1', items: [{ order_item_id: line!.id, quantity: 2 }] };
    await made(asStore()('POST', `/v1/orders/${order.order_id}/shipments`, parcel));
    await made(move(order.id, 'fulfill'));
    const placed = await orderOf(order);
    expect(placed.order_status).toBe('shipped');
    expect(placed.shipments.map(({ items }) => items[0]!.quantity)).toEqual([2, 1]);
    const whole = await confirm(await issue(ada, pieces(3)));
    await made(asStore()('POST', `/v1/orders/${whole.order_id}/shipments`, { carrier: 'Own', tracking_number: '2' }));
    expect((await made(move(whole.id, 'fulfill', {}))).data.status).toBe('fulfilled');
    expect((await orderOf(whole)).shipments).toHaveLength(1);
  });

  test('what is not confirmed is refused', async () => {
    const order = await issue(ada, pieces(1));
    expect(errorOf(await move(order.id, 'fulfill'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(ANY_ID, 'fulfill'))).toEqual([404, 'not_found', undefined]);
    expect(errorOf(await move(ANY_ID, 'confirm'))).toEqual([404, 'not_found', undefined]);
    const bad = await move(order.id, 'fulfill', { tracking_url: 'ftp://x' });
    expect(errorOf(bad)).toEqual([400, 'invalid_request', 'tracking_url']);
  });

  test('comes once, however many ask at once', async () => {
    const order = await confirm(await issue(ada, pieces(2)));
    const replies = await Promise.all(Array.from({ length: 5 }, () => move(order.id, 'fulfill')));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect((await orderOf(order)).shipments).toHaveLength(1);
    await eventsTold(1, about('b2b.po.fulfilled', order.id));
  });
});

describe('cancelling', () => {
  // "POST `/{id}/cancel` (cs or S) while issued"
  test('is the buyer’s or the store’s, while it is issued', async () => {
    const [one, two, three] = [await issue(ada, pieces(1)), await issue(ada, pieces(1)), await issue(ada, pieces(1))];
    expect((await made(as(ada)('POST', `/v1/b2b/purchase-orders/${one.id}/cancel`))).data).toEqual({
      ...one,
      status: 'cancelled',
    });
    expect((await made(move(two.id, 'cancel'))).data.status).toBe('cancelled');
    expect((await as({ id: '', headers: {} })('POST', `/v1/b2b/purchase-orders/${three.id}/cancel`)).status).toBe(401);
    await confirm(three);
    for (const { id } of [one, three]) expect(errorOf(await move(id, 'cancel'))).toEqual([409, 'conflict', undefined]);
    expect(errorOf(await move(one.id, 'confirm'))).toEqual([409, 'conflict', undefined]);
  });

  test('and confirming at once leave one of the two, and the stock right', async () => {
    const only = await newVariant({ stock: 100 });
    let sold = 0;
    for (let count = 0; count < 8; count++) {
      const order = await issue(ada, pieces(5, only));
      const [confirmed, cancelled] = await Promise.all([move(order.id, 'confirm'), move(order.id, 'cancel')]);
      expect([confirmed.status, cancelled.status].sort()).toEqual([200, 409]);
      expect((await read(order.id)).status).toBe(confirmed.status === 200 ? 'confirmed' : 'cancelled');
      if (confirmed.status === 200) sold += 5;
    }
    await eventually(async () => expect(await levelOf(only)).toEqual([100 - sold, 100 - sold]));
  });

  // "cancelling that order cancels the purchase order"
  test('its order cancels it, and gives the stock back', async () => {
    const only = await newVariant({ stock: 10 });
    const order = await confirm(await issue(ada, pieces(4, only)));
    await eventually(async () => expect(await levelOf(only)).toEqual([6, 6]));
    await made(signed('PATCH', `/v1/orders/${order.order_id}`, { order_status: 'cancelled' }));
    expect(await read(order.id)).toEqual({ ...order, status: 'cancelled' });
    await eventually(async () => expect(await levelOf(only)).toEqual([10, 10]));
    expect(errorOf(await move(order.id, 'fulfill'))).toEqual([409, 'conflict', undefined]);
  });
});

test('a store of another is told of none of it', async () => {
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
