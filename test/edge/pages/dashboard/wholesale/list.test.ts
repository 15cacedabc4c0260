// Wholesale in a real browser: a request is quoted, its purchase order confirmed, fulfilled and billed, the invoice paid.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ADDRESS = { company: 'Kibo Traders', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

describe.skipIf(!program)('wholesale', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let buyer: Record<string, string>;
  let lamp: string;
  const { read, shows, press, click, fill, signInAs, goTo, checkLooks } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const done = async (reply: Promise<Reply>): Promise<Reply['body']> => {
    const { status, body, text } = await reply;
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const merchant = (method: string, path: string, body?: unknown): Promise<Reply['body']> =>
    done(stoa.send(method, path, { key: keys.secret_key, body, signWith: keys.hmac_secret }));
  const asBuyer = async (path: string, body: object = {}): Promise<Reply['body']> =>
    (await done(stoa.send('POST', `/v1/b2b${path}`, { key: keys.publishable_key, headers: buyer, body }))).data;
  const found = async (path: string): Promise<Reply['body']> => (await merchant('GET', `/v1/b2b${path}`)).data;
  /** Presses the button of the open dialog that confirms. */
  const confirm = (): Promise<unknown> => read(`document.querySelector('dialog .buttons button:last-child').click()`);

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ wholesale: true, country: 'KE' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    const { session } = await merchant('POST', '/v1/auth/register', {
      email: 'ada@example.com',
      password: 'correct horse battery',
      first_name: 'Ada',
    });
    buyer = { 'x-auth-token': session.access_token };
    lamp = (await merchant('POST', '/v1/products', { name: 'Reading lamp', price: 20, stock: 500 })).variant_id;
    await signInAs((await join(stoa, keys, 'orders')).cookie, 'wholesale');
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('refuses a quote without a price at its field, and sends one with a price', async () => {
    await asBuyer('/rfqs', { items: [{ variant_id: lamp, quantity: 120 }], note: 'Before May, please.' });
    await goTo('wholesale?kind=requests&status=submitted');
    await shows('table', /RFQ-1001[\s\S]*Submitted/);
    await checkLooks('wholesale');
    const [request] = await found('/rfqs');
    await goTo(`wholesale/requests/${request.id}`);
    await shows('main h1', 'Request RFQ-1001');
    await shows('main', /Ada[\s\S]*Before May, please\.[\s\S]*Reading lamp/);
    await press('Send the quote');
    await shows('.refusal', /unit_price/);
    await checkLooks('request');
    await fill('Reading lamp, each', '14.5');
    await fill('Payment terms', 'net_60');
    await press('Send the quote');
    await shows('main h1', 'Quote Q-1001');
    await shows('main', /60 days[\s\S]*Reading lamp[\s\S]*1,740/);
    await checkLooks('quote');
  });

  test('confirms, fulfils and bills a purchase order', async () => {
    const [quote] = await found('/quotes');
    await asBuyer(`/quotes/${quote.id}/accept`);
    await asBuyer('/purchase-orders', { quote_id: quote.id, po_number: 'PO-77', shipping_address: ADDRESS });
    await goTo('wholesale?kind=orders&status=issued');
    await shows('table', /PO-77[\s\S]*Kibo Traders/);
    const [order] = await found('/purchase-orders');
    await goTo(`wholesale/orders/${order.id}`);
    await shows('main', /12 Moi Avenue/);
    await press('Confirm');
    await confirm();
    await shows('.page-head', /Confirmed/);
    await checkLooks('purchase_order');
    await press('Fulfil');
    await fill('Carrier', 'DHL');
    await press('Mark as fulfilled');
    await shows('.page-head', /Fulfilled/);
    await press('Issue an invoice');
    await fill('Units of Reading lamp', '50');
    await checkLooks('bill');
    await press('Issue the invoice');
    await shows('main h1', 'Invoice INV-1001');
    await shows('main', /725\.00/);
  });

  test('voids an invoice, bills again, downloads it and records its payment', async () => {
    await press('Void');
    await confirm();
    await shows('.page-head', /Void/);
    const [order] = await found('/purchase-orders');
    await goTo(`wholesale/orders/${order.id}`);
    await press('Issue an invoice');
    await press('Issue the invoice');
    await shows('main h1', 'Invoice INV-1002');
    await checkLooks('invoice');
    await read(`(() => {
      window.saved = null;
      HTMLAnchorElement.prototype.click = function () { window.saved = this.download; };
    })()`);
    await press('Download the PDF');
    await eventually(async () => expect(await read('window.saved')).toBe('INV-1002.pdf'));
    await fill('How it was paid', 'Bank transfer 4711');
    await click('main form button[type=submit]');
    await shows('.page-head', /Paid/);
    await shows('main', /Bank transfer 4711/);
    const invoices = await found('/invoices');
    expect(await read('document.querySelector("dialog")')).toBe(null);
    expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['paid', 'void']);
  });

  test('hides each step from a role that may only read', async () => {
    const [order] = await found('/purchase-orders');
    await signInAs((await join(stoa, keys, 'support')).cookie, `wholesale/orders/${order.id}`);
    await shows('main', /PO-77/);
    expect(await read('document.querySelectorAll(".page-head button").length')).toBe(0);
  });

  test('leaves the area out of the navigation of a store for shoppers alone', async () => {
    const plain = await stoa.createStore({ plan: 'growth' });
    await signInAs((await join(stoa, plain, 'owner')).cookie, 'orders');
    const names = await read<string>('[...document.querySelectorAll("nav")].map((each) => each.textContent).join(" ")');
    expect(names).toContain('Orders');
    expect(names).not.toContain('Wholesale');
  });
});
