// Tests invoices over HTTP: billed items, due dates and effects of payment on the order.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import {
  ANY_ID,
  about,
  as,
  asStore,
  balanced,
  clock,
  closeShop,
  confirm,
  DAY_MS,
  errorOf,
  invoice,
  issue,
  keys,
  made,
  newBuyer,
  newVariant,
  openShop,
  pay,
  publishedEvents,
  signed,
  stoa,
  UUID,
} from '#test/services/b2b/shop.ts';
import type { Shopper } from '#test/support/session.ts';

let ada: Shopper;
let eve: Shopper;
let shoe: string;
let sock: string;
beforeAll(async () => {
  await openShop();
  ada = await newBuyer();
  eve = await newBuyer();
  shoe = await newVariant({ stock: 100_000 });
  sock = await newVariant({ name: 'Sock', stock: 100_000 });
  await made(asStore()('POST', '/v1/tax-rates', { name: 'VAT', country: 'KE', rate: 0.16 }));
});
afterAll(async () => {
  // Every ledger posting balances.
  expect(await balanced()).toBe(true);
  await closeShop();
});
beforeEach(() => clock.advance(1_000));

const moment = () => clock.now({ store: keys.store_id, environment: 'sandbox' });
const inDays = (days: number): string => new Date(moment().getTime() + days * DAY_MS).toISOString();
const hundred = () => [{ variant_id: shoe, quantity: 100, unit_price: 7.5 }];
const bill = (body: unknown) => asStore()('POST', '/v1/b2b/invoices', body);
const move = (id: string, verb: string, body?: unknown, headers = {}) =>
  asStore()('POST', `/v1/b2b/invoices/${id}/${verb}`, body, headers);
const read = async ({ id }: Pick<Invoice, 'id'>): Promise<Invoice> =>
  (await made(asStore()('GET', `/v1/b2b/invoices/${id}`))).data;
const agreed = (terms = 'net_30', items: readonly unknown[] = hundred()): Promise<PurchaseOrder> =>
  issue(ada, items, { quote: { payment_terms: terms } });
const confirmed = async (terms?: string, items?: readonly unknown[]): Promise<PurchaseOrder> =>
  confirm(await agreed(terms, items));
const reread = async ({ id }: PurchaseOrder): Promise<PurchaseOrder> =>
  (await made(asStore()('GET', `/v1/b2b/purchase-orders/${id}`))).data;

describe('an invoice', () => {
  test('bills the whole purchase order by default, numbered and due by its terms', async () => {
    const order = await confirmed('net_60');
    const { status, body } = await bill({ purchase_order_id: order.id });
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.stringMatching(UUID),
      invoice_number: 'INV-1001',
      purchase_order_id: order.id,
      customer_id: ada.id,
      status: 'issued',
      currency: 'USD',
      subtotal: 750,
      tax_amount: 120,
      total: 870,
      amount_due: 870,
      issued_at: moment().toISOString(),
      due_at: inDays(60),
      paid_at: null,
      reference: null,
      items: [
        {
          id: expect.stringMatching(UUID),
          item_id: order.items[0]!.id,
          variant_id: shoe,
          quantity: 100,
          unit_price: 7.5,
          total: 750,
        },
      ],
    });
    for (const call of [as(ada), asStore()])
      expect((await made(call('GET', `/v1/b2b/invoices/${body.data.id}`))).data).toEqual(body.data);
    expect((await reread(order)).invoice_ids).toEqual([body.data.id]);
    const [published] = await publishedEvents(1, about('b2b.invoice.issued', body.data.id));
    expect(published!.data.object).toEqual(body.data);
  });

  test('requires a confirmed or fulfilled purchase order', async () => {
    const order = await agreed();
    expect(errorOf(await bill({ purchase_order_id: order.id }))).toEqual([409, 'conflict', 'purchase_order_id']);
    await confirm(order);
    await made(asStore()('POST', `/v1/b2b/purchase-orders/${order.id}/fulfill`));
    expect((await invoice(order)).total).toBe(870);
    const cancelled = await confirmed();
    await made(signed('PATCH', `/v1/orders/${cancelled.order_id}`, { order_status: 'cancelled' }));
    expect(errorOf(await bill({ purchase_order_id: cancelled.id }))).toEqual([409, 'conflict', 'purchase_order_id']);
    expect(errorOf(await bill({ purchase_order_id: ANY_ID }))).toEqual([404, 'not_found', 'purchase_order_id']);
  });

  test('bills a part and then the rest, which together equal the order', async () => {
    const order = await confirmed('net_30', [
      { variant_id: shoe, quantity: 3, unit_price: 0.1 },
      { variant_id: sock, quantity: 7, unit_price: 1.11 },
    ]);
    expect([order.subtotal, order.tax_amount, order.total]).toEqual([8.07, 1.29, 9.36]);
    const [shoes, socks] = order.items;
    const one = await invoice(order, [{ item_id: shoes!.id, quantity: 1 }]);
    expect([one.subtotal, one.tax_amount, one.total, one.items.length]).toEqual([0.1, 0.02, 0.12, 1]);
    const two = await invoice(order, [
      { item_id: socks!.id.toUpperCase(), quantity: 3 },
      { item_id: shoes!.id, quantity: 1 },
    ]);
    const rest = await invoice(order);
    expect(rest.items.map(({ item_id, quantity }) => [item_id, quantity])).toEqual([
      [shoes!.id, 1],
      [socks!.id, 4],
    ]);
    const cents = (of: 'subtotal' | 'tax_amount' | 'total') =>
      [one, two, rest].reduce((sum, each) => sum + Math.round(each[of] * 100), 0);
    expect([cents('subtotal'), cents('tax_amount'), cents('total')]).toEqual([807, 129, 936]);
    expect(errorOf(await bill({ purchase_order_id: order.id }))).toEqual([409, 'conflict', undefined]);
    expect((await reread(order)).invoice_ids).toEqual([one.id, two.id, rest.id]);
  });

  test.each([
    ['more than was ordered', (id: string) => [{ item_id: id, quantity: 101 }], 409, 'items[0].quantity'],
    [
      'an item twice',
      (id: string) => [
        { item_id: id, quantity: 1 },
        { item_id: id, quantity: 1 },
      ],
      400,
      'items[1].item_id',
    ],
    ['what was not ordered', () => [{ item_id: ANY_ID, quantity: 1 }], 404, 'items[0].item_id'],
    ['nothing', () => [], 400, 'items'],
    ['too many lines', (id: string) => Array.from({ length: 501 }, () => ({ item_id: id, quantity: 1 })), 400, 'items'],
    ['no pieces', (id: string) => [{ item_id: id, quantity: 0 }], 400, 'items[0].quantity'],
  ])('is not of %s', async (_what, items, status, param) => {
    const order = await confirmed();
    const reply = await bill({ purchase_order_id: order.id, items: items(order.items[0]!.id) });
    expect([reply.status, reply.body.error.param]).toEqual([status, param]);
    expect((await reread(order)).invoice_ids).toEqual([]);
  });

  test('never exceeds the order’s total under concurrent requests', async () => {
    const order = await confirmed();
    const items = [{ item_id: order.items[0]!.id, quantity: 30 }];
    const replies = await Promise.all(Array.from({ length: 8 }, () => bill({ purchase_order_id: order.id, items })));
    expect(replies.map(({ status }) => status).sort()).toEqual([
      201,
      201,
      201,
      ...Array.from({ length: 5 }, () => 409),
    ]);
    const numbers = replies
      .filter(({ status }) => status === 201)
      .map(({ body }) => Number(body.data.invoice_number.slice(4)));
    // Refused requests leave no gap in the numbers.
    expect(Math.max(...numbers) - Math.min(...numbers)).toBe(2);
    const whole = await Promise.all(Array.from({ length: 4 }, () => bill({ purchase_order_id: order.id })));
    expect(whole.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(whole.find(({ status }) => status === 201)!.body.data.items[0].quantity).toBe(10);
  });

  test('can be issued, paid and voided with a secret key only, and read by its buyer', async () => {
    const order = await confirmed();
    expect((await as(ada)('POST', '/v1/b2b/invoices', { purchase_order_id: order.id })).status).toBe(403);
    const { id } = await invoice(order);
    for (const verb of ['pay', 'void'])
      expect((await as(ada)('POST', `/v1/b2b/invoices/${id}/${verb}`, {})).status).toBe(403);
    expect((await as(ada)('GET', `/v1/b2b/invoices/${id}`)).status).toBe(200);
    for (const path of [`/v1/b2b/invoices/${id}`, `/v1/b2b/invoices/${id}/pdf`]) {
      expect((await as(eve)('GET', path)).status).toBe(404);
      expect((await as({ id: '', headers: {} })('GET', path)).status).toBe(401);
      expect((await asStore(await stoa.createStore({ wholesale: true }))('GET', path)).status).toBe(404);
    }
  });
});

describe('terms', () => {
  test.each([
    ['net_7', 7, 7],
    ['net_15', 15, 15],
    ['net_30', 30, 30],
    ['net_60', 60, 60],
    ['net_90', 90, 90],
    ['due_on_receipt', 0, 1],
  ])('%s are due after %d days and overdue after %d, told once', async (terms, due, overdue) => {
    const sent = await invoice(await confirmed(terms));
    expect(sent.due_at).toBe(inDays(due));
    const listed = async (status: string) => {
      const { data } = await made(as(ada)('GET', `/v1/b2b/invoices?status=${status}&limit=100`));
      return data.some(({ id }: Invoice) => id === sent.id);
    };
    clock.advance(overdue * DAY_MS - 1);
    expect([(await read(sent)).status, await listed('issued'), await listed('overdue')]).toEqual([
      'issued',
      true,
      false,
    ]);
    clock.advance(1);
    expect([(await read(sent)).status, await listed('issued'), await listed('overdue')]).toEqual([
      'overdue',
      false,
      true,
    ]);
    // The job runs every second of real time, independent of the store's clock.
    const [published] = await publishedEvents(1, about('b2b.invoice.overdue', sent.id));
    expect([published!.data.object, published!.previous_attributes]).toEqual([
      { ...sent, status: 'overdue' },
      { status: 'issued' },
    ]);
    expect((await pay(sent)).status).toBe('paid');
    await publishedEvents(1, about('b2b.invoice.overdue', sent.id));
  });

  test('never make paid or void invoices overdue', async () => {
    const [paid, ended] = [await invoice(await confirmed('net_7')), await invoice(await confirmed('net_7'))];
    await pay(paid);
    await made(move(ended.id, 'void'));
    clock.advance(8 * DAY_MS);
    const late = await invoice(await confirmed('due_on_receipt'));
    clock.advance(DAY_MS);
    await publishedEvents(1, about('b2b.invoice.overdue', late.id));
    await publishedEvents(0, about('b2b.invoice.overdue', paid.id, ended.id));
    expect([(await read(paid)).status, (await read(ended)).status]).toEqual(['paid', 'void']);
  });
});

describe('lists', () => {
  test('show buyers their own invoices and the store all, in pages', async () => {
    const buyer = await newBuyer();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      clock.advance(1_000);
      ids.unshift((await invoice(await confirm(await issue(buyer, hundred())))).id);
    }
    const idsOf = ({ data }: { data: readonly Invoice[] }) => data.map(({ id }) => id);
    expect(idsOf(await made(as(buyer)('GET', '/v1/b2b/invoices')))).toEqual(ids);
    expect(idsOf(await made(asStore()('GET', `/v1/b2b/invoices?customer_id=${buyer.id}`)))).toEqual(ids);
    expect((await as(buyer)('GET', `/v1/b2b/invoices?customer_id=${ada.id}`)).status).toBe(403);
    const first = await made(as(buyer)('GET', '/v1/b2b/invoices?limit=2'));
    const rest = await made(as(buyer)('GET', `/v1/b2b/invoices?limit=2&cursor=${first.pagination.next_cursor}`));
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(ids);
  });
});

describe('a PDF', () => {
  const pdfOf = async ({ id }: Invoice, call = as(ada)) => call('GET', `/v1/b2b/invoices/${id}/pdf`);
  const sendFor = async ({ id }: Invoice) =>
    fetch(`${stoa.url}/v1/b2b/invoices/${id}/pdf`, { headers: { authorization: `Bearer ${keys.secret_test_key}` } });

  test('returns identical bytes to buyer and store while the invoice is unchanged', async () => {
    const sent = await invoice(await confirmed());
    const reply = await pdfOf(sent);
    expect([reply.status, reply.headers.get('content-type'), reply.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    const tag = reply.headers.get('etag')!;
    const again = await as(ada)('GET', `/v1/b2b/invoices/${sent.id}/pdf`, undefined, { 'If-None-Match': tag });
    expect([again.status, again.headers.get('x-cache')]).toEqual([304, 'HIT-304']);
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    await pay(sent);
    expect((await pdfOf(sent)).headers.get('etag')).not.toBe(tag);
    expect((await pdfOf({ ...sent, id: ANY_ID })).status).toBe(404);
  });

  const program = Bun.which('pdftotext');
  test.skipIf(program === null)('contains seller, buyer, lines, tax by rate, terms and number', async () => {
    const location = { line1: '12 Ngong Road', city: 'Nairobi', postal_code: '00100', country: 'KE' };
    await made(
      asStore()('PUT', '/v1/shipping/config', {
        locations: [{ name: 'Workshop', latitude: -1.29, longitude: 36.79, address: location }],
      }),
    );
    await made(
      stoa.send('PATCH', '/v1/store', {
        key: keys.secret_key,
        body: { name: 'Kibo Shoes', contact_email: 'sales@kibo.example' },
      }),
    );
    const fancy = await newVariant({ name: 'Łódź Stiefel Größe 40 — Ж', sku: 'LODZ-40' });
    const order = await issue(
      ada,
      [
        { variant_id: shoe, quantity: 1_200, unit_price: 7.5 },
        { variant_id: fancy, quantity: 2, unit_price: 10 },
      ],
      {
        po_number: 'PO-2026-017',
        quote: { payment_terms: 'net_60' },
        billing_address: {
          company: 'Müller GmbH',
          line1: 'Hauptstraße 1',
          city: 'Köln',
          postal_code: '50667',
          country: 'DE',
        },
      },
    );
    const sent = await invoice(await confirm(order));
    const pdf = new Uint8Array(await (await sendFor(sent)).arrayBuffer());
    const run = Bun.spawnSync([program!, '-layout', '-', '-'], { stdin: pdf });
    expect(run.exitCode).toBe(0);
    const text = run.stdout.toString().replace(/[ \t]+/g, ' ');
    for (const words of [
      'Invoice',
      `Invoice number ${sent.invoice_number}`,
      'Payment terms Net 60 days',
      'Purchase order PO-2026-017',
      'Kibo Shoes',
      '12 Ngong Road',
      '00100 Nairobi',
      'Kenya',
      'sales@kibo.example',
      'Müller GmbH',
      'Hauptstraße 1',
      '50667 Köln',
      'Germany',
      '12 Moi Avenue',
      'Łódź Stiefel Größe 40 — Ж',
      'LODZ-40',
      '1,200 7.50 9,000.00',
      'Subtotal 9,020.00',
      'VAT 16% 1,443.20',
      'Total USD 10,463.20',
      'Amount due USD 10,463.20',
      'page 1 of 1',
    ])
      expect(text).toContain(words);
    await pay(sent);
    const later = Bun.spawnSync([program!, '-layout', '-', '-'], {
      stdin: new Uint8Array(await (await sendFor(sent)).arrayBuffer()),
    });
    expect(later.stdout.toString().replace(/[ \t]+/g, ' ')).toMatch(/Status Paid on [\s\S]*Amount due USD 0\.00/);
  });

  test.skipIf(program === null)('extracts as Chinese, Japanese, Korean, Hebrew and Arabic text', async () => {
    const names = ['北京咖啡杯（二十四件）', '東京コーヒー豆', '서울 커피 필터', 'ספל קפה', 'فنجان قهوة'];
    const variants = [];
    for (const name of names) variants.push(await newVariant({ name }));
    const order = await issue(
      ada,
      variants.map((variant_id) => ({ variant_id, quantity: 24, unit_price: 10 })),
      {
        billing_address: {
          company: '臺北咖啡股份有限公司',
          line1: '信義路五段七號',
          city: '臺北市',
          postal_code: '110',
          country: 'TW',
        },
      },
    );
    const reply = await sendFor(await invoice(await confirm(order)));
    expect(reply.status).toBe(200);
    const run = Bun.spawnSync([program!, '-layout', '-', '-'], { stdin: new Uint8Array(await reply.arrayBuffer()) });
    // pdftotext wraps right-to-left passages in invisible direction marks.
    const text = run.stdout
      .toString()
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(/[ \t]+/g, ' ');
    for (const words of [...names, '臺北咖啡股份有限公司', '信義路五段七號', '臺北市', '12 Moi Avenue'])
      expect(text).toContain(words);
    // On the line of its amount.
    for (const name of names) expect(text).toMatch(new RegExp(`${name}.* 240\\.00`));
  });
});
