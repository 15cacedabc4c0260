// Forms of the dashboard in a real browser under rough use: clicks that follow each other at once, and texts and prices at
// their bounds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const LONG = 'W'.repeat(200);

interface Form {
  readonly screen: string;
  readonly input: Readonly<Record<string, string>>;
  readonly action: string;
  /** The heading of the new record's screen. */
  readonly title: string;
  readonly list: string;
  readonly records: string;
}

const FORMS: readonly Form[] = [
  {
    screen: 'customers/new',
    input: { 'E-mail': 'twice@example.com', 'First name': 'Twice' },
    action: 'Create',
    title: 'Twice',
    list: '/v1/customers',
    records: 'customers',
  },
  {
    screen: 'collections/new',
    input: { Name: 'Made once' },
    action: 'Create',
    title: 'Made once',
    list: '/v1/product-collections',
    records: 'collections',
  },
  {
    screen: 'content/posts/new',
    input: { Title: 'Written once', Text: 'Text' },
    action: 'Save as a draft',
    title: 'Written once',
    list: '/v1/blog/posts?status=draft',
    records: 'posts',
  },
];

describe.skipIf(!program)('forms of the dashboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows, fill, signInAs, goTo, fits } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );
  const merchant = async (method: string, path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await stoa.send(method, path, { key: keys.secret_key, body, signWith: keys.hmac_secret });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, keys, 'manager')).cookie);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test.each(FORMS)('makes one record of three clicks in $screen', async (form) => {
    await goTo(form.screen);
    for (const [label, text] of Object.entries(form.input)) await fill(label, text);
    await read(`(() => {
      const action = [...document.querySelectorAll('main button')].find(
        (each) => each.textContent.trim() === ${JSON.stringify(form.action)});
      for (let times = 0; times < 3; times++) action.click();
    })()`);
    await shows('.frame main h1', new RegExp(form.title));
    expect((await merchant('GET', form.list))[form.records]).toHaveLength(1);
  });

  test('shows the longest names and the smallest and largest prices within the width of a telephone', async () => {
    const free = await merchant('POST', '/v1/products', {
      name: LONG,
      price: 0,
      stock: 5,
      shipping_info: { requires_shipping: false },
    });
    await merchant('POST', '/v1/products', { name: `${LONG.slice(1)}2`, price: 9_999_999.99, stock: 5 });
    const { collection } = await merchant('POST', '/v1/product-collections', { name: LONG });
    await merchant('POST', '/v1/categories', { name: LONG.slice(0, 100) });
    const { post } = await merchant('POST', '/v1/blog/posts', { title: LONG, body: LONG });
    const { order } = await merchant('POST', '/v1/orders', {
      email: `${'w'.repeat(60)}@example.com`,
      items: [{ variant_id: free.variant_id, quantity: 1 }],
      note: LONG,
    });
    await browser.page.resize(390, 844);
    const screens = [
      'products',
      `products/${free.id}`,
      'stock',
      'collections',
      `collections/${collection.id}`,
      'categories',
      'content?kind=posts&status=draft',
      `content/posts/${post.slug}`,
      'orders',
      `orders/${order.id}`,
    ];
    for (const screen of screens) {
      await goTo(screen);
      await shows('.frame main', /W{20}|w{20}/);
      expect(await fits().then(() => 'fits', String), screen).toBe('fits');
    }
  });
});
