// Wholesale in the console, in a real browser on a phone's width: a request is quoted, its purchase order confirmed, sent and
// billed, the invoice downloaded and paid, another one voided.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitConsole } from '#test/support/console.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();

describe.skipIf(!program)('wholesale in the console', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  let downloads: string;
  let session: Record<string, string>;
  let lamp: string;
  const { read, shows, press, type, signIn, fitsPhone } = visitConsole(
    () => browser.page,
    () => stoa.url,
  );
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ wholesale: true, country: 'KE' });
    downloads = await mkdtemp(join(tmpdir(), 'stoa-downloads-'));
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
    await browser.page.download(downloads);
    const body = { email: 'ada@example.com', password: 'correct horse battery' };
    const { body: signed } = await stoa.send('POST', '/v1/auth/register', { key: keys.secret_test_key, body });
    session = { 'x-auth-token': signed.session.access_token };
    const product = { name: 'Reading lamp', price: 20, stock: 500 };
    lamp = (await stoa.send('POST', '/v1/products', { key: keys.secret_test_key, body: product })).body.variant_id;
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
    if (downloads) await rm(downloads, { recursive: true, force: true });
  });

  const asBuyer = async (path: string, body: object = {}) => {
    const options = { key: keys.publishable_test_key, headers: session, body };
    const { status, text, body: answer } = await stoa.send('POST', `/v1/b2b${path}`, options);
    expect(status, text).toBeLessThan(300);
    return answer.data;
  };
  const found = async (path: string) =>
    (await stoa.send('GET', `/v1/b2b${path}`, { key: keys.secret_test_key })).body.data;
  const open = (pile: string): Promise<void> => read(`document.querySelector('#${pile} summary').click()`);

  test('shows the tab for a wholesale store in its sandbox', async () => {
    const rooms = () => read<string[]>('[...document.querySelectorAll("nav button")].map((b) => b.textContent)');
    await signIn(keys.secret_key);
    await shows('header', 'production');
    expect(await rooms()).not.toContain('Wholesale');
    await signIn((await stoa.createStore()).secret_test_key);
    await shows('header', 'sandbox');
    expect(await rooms()).not.toContain('Wholesale');
    await signIn(keys.secret_test_key);
    await press('Wholesale');
    await shows('#rfqs', 'No request needs a quote.');
    await shows('#invoices', 'No invoice was issued yet.');
    await fitsPhone();
  });

  test('a deal goes from its request to a paid invoice', async () => {
    await asBuyer('/rfqs', { items: [{ variant_id: lamp, quantity: 120 }], note: 'Before May, please.' });
    await signIn(keys.secret_test_key);
    await press('Wholesale');
    await shows('#rfqs summary', /RFQ-1001.*submitted/);
    await open('rfqs');
    await shows('#rfqs', /Before May, please\.[\s\S]*120 × Reading lamp/);
    await fitsPhone();
    await type('.price', '14.5');
    await press('Send the quote');
    await shows('[role=status]', 'Q-1001 is sent: 1,740.00 USD with tax.');
    await shows('#quotes summary', /Q-1001.*sent/);
    await open('quotes');
    await shows('#quotes', /Reading lamp[\s\S]*net 30/);

    const [quote] = await found('/quotes');
    await asBuyer(`/quotes/${quote.id}/accept`, { reason: 'Agreed.' });
    const shipping_address = { company: 'Kibo Traders', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
    await asBuyer('/purchase-orders', { quote_id: quote.id, po_number: 'PO-77', shipping_address });
    await shows('#purchase_orders summary', /PO-77.*issued/);
    await open('purchase_orders');
    await shows('#purchase_orders', 'To Kibo Traders, 12 Moi Avenue, Nairobi.');
    await fitsPhone();
    await press('Confirm it');
    await shows('#purchase_orders summary', 'confirmed');
    await type('[name=carrier]', 'DHL');
    await type('[name=tracking]', '0034');
    await press('Fulfil it');
    await shows('#purchase_orders summary', 'fulfilled');
    await press('Bill the items without an invoice');
    await shows('#invoices summary', /INV-1001.*issued/);
    await press('Bill the items without an invoice');
    await shows('[role=status]', 'Every item of the purchase order is already invoiced.');

    await open('invoices');
    await press('Void it');
    await shows('#invoices summary', /INV-1001.*void/);
    await press('Bill the items without an invoice');
    await shows('#invoices summary', /INV-1002.*issued/);
    await open('invoices');
    await press('Download the PDF');
    const file = join(downloads, 'INV-1002.pdf');
    await eventually(() => expect(existsSync(file) && readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-'));
    await fitsPhone();
    await type('[name=reference]', 'Bank transfer 4711');
    await press('Record 1,740.00 USD as paid');
    await shows('#invoices summary', /INV-1002.*paid/);

    const [order] = await found('/purchase-orders');
    const [paid, ended] = await found('/invoices');
    expect([paid.status, paid.reference, ended.status]).toEqual(['paid', 'Bank transfer 4711', 'void']);
    const { body } = await stoa.send('GET', `/v1/orders/${order.order_id}`, { key: keys.secret_test_key });
    expect(body.order).toMatchObject({ order_status: 'shipped', tracking_number: '0034', amount_paid: 1740 });
  });

  test('cancels a purchase order, and shows why a confirmation was refused', async () => {
    const items = [{ variant_id: lamp, quantity: 1_000, unit_price: 1 }];
    const { body: me } = await stoa.send('GET', '/v1/auth/me', { key: keys.secret_test_key, headers: session });
    const sent = await stoa.send('POST', '/v1/b2b/quotes', {
      key: keys.secret_test_key,
      body: { customer_id: me.customer.id, items },
    });
    const quote = sent.body.data.id;
    await asBuyer(`/quotes/${quote}/accept`);
    const shipping_address = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
    await asBuyer('/purchase-orders', { quote_id: quote, po_number: 'PO-78', shipping_address });
    await signIn(keys.secret_test_key);
    await press('Wholesale');
    await shows('#purchase_orders summary', 'PO-78');
    await open('purchase_orders');
    await press('Confirm it');
    await shows('[role=status]', /can be sold/);
    await press('Cancel it');
    await shows('#purchase_orders summary', /PO-78.*cancelled/);
    expect(browser.page.complaints.filter((text) => !/40[0139]/.test(text))).toEqual([]);
  });
});
