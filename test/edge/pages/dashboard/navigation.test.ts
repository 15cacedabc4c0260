// The main task of each screen by the keyboard alone, in a real browser: no pointer, no script.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { server } from '#proto/client/server.ts';
import { join, PASSWORD } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { KENYA } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
/** Stops of the Tab key in a screen, its navigation included. */
const STOPS_MAX = 150;

/** Reads the name of the element that has the focus. */
const FOCUSED = `(() => {
  const { activeElement: it } = document;
  if (it === document.body) return '';
  return (it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent ?? '').trim();
})()`;

type Step =
  /** Presses Tab until an element of this name has the focus. */
  | { readonly to: string | RegExp }
  /** Waits until the focus is moved there. */
  | { readonly opened: string }
  | { readonly type: string }
  | { readonly key: string };

const to = (name: string | RegExp): Step => ({ to: name });
const type = (text: string): Step => ({ type: text });
const key = (name: string): Step => ({ key: name });
const field = (name: string, text: string): readonly Step[] => [to(name), type(text)];
const press = (name: string | RegExp): readonly Step[] => [to(name), key('Enter')];

interface Task {
  readonly task: string;
  readonly area: string;
  readonly steps: readonly Step[];
  readonly shows: readonly [selector: string, text: RegExp];
}

const TASKS: readonly Task[] = [
  {
    task: 'ships an order',
    area: 'Orders',
    steps: [
      ...press(/^#?.*ada@example\.com/),
      ...press('Ship'),
      ...field('Carrier', 'DHL'),
      ...field('Tracking number', 'T-1'),
      key('Enter'),
    ],
    shows: ['.time-line', /Shipped with DHL/],
  },
  {
    task: 'refunds a part of an order',
    area: 'Orders',
    steps: [
      ...press(/^#?.*ada@example\.com/),
      ...press('More'),
      { opened: 'Refund' },
      key('Enter'),
      ...field('Amount', '3'),
      ...field('Reason', 'A scratch'),
      key('Enter'),
    ],
    shows: ['.time-line', /Refund of .*3\.00/],
  },
  {
    task: 'creates a product',
    area: 'Products',
    steps: [
      ...press('New product'),
      ...field('Name', 'Bowl'),
      ...field('Price', '15'),
      ...field('Units in stock', '4'),
      key('Enter'),
    ],
    shows: ['main h1', /^Bowl$/],
  },
  {
    task: 'changes a price in the grid',
    area: 'Products',
    steps: [...field('Price of Lamp', '12.5'), key('Enter')],
    shows: ['.toasts', /Lamp now costs \$12\.50/],
  },
  {
    task: 'adjusts a stock',
    area: 'Stock',
    steps: [...press('Adjust Lamp'), ...field('Units', '5'), ...field('Reason', 'A delivery'), key('Enter')],
    shows: ['.toasts', /Lamp is adjusted/],
  },
  {
    task: 'creates a category',
    area: 'Categories',
    steps: [...press('New category'), ...field('Name', 'Kitchen'), key('Enter')],
    shows: ['main', /Kitchen/],
  },
  {
    task: 'creates a collection',
    area: 'Collections',
    steps: [...press('New collection'), ...field('Name', 'Summer'), key('Enter')],
    shows: ['main h1', /^Summer$/],
  },
  {
    task: 'creates a price list',
    area: 'Price lists',
    steps: [
      ...press('New price list'),
      ...field('Name', 'Trade'),
      ...field('Find a product', 'lamp'),
      ...press('Add Lamp'),
      ...press('Create'),
    ],
    shows: ['main h1', /^Trade$/],
  },
  {
    task: 'creates a customer',
    area: 'Customers',
    steps: [...press('New customer'), ...field('E-mail', 'joan@example.com'), key('Enter')],
    shows: ['main h1', /joan@example\.com/],
  },
  {
    task: 'creates a promotion',
    area: 'Discounts',
    steps: [...press('New promotion'), ...field('Name', 'Spring'), ...field('Percentage', '10'), key('Enter')],
    shows: ['main h1', /^Spring$/],
  },
  {
    task: 'writes a post',
    area: 'Content',
    steps: [
      ...press('New post'),
      ...field('Title', 'A kettle'),
      ...field('Text', 'It sings.'),
      ...press('Save as a draft'),
    ],
    shows: ['main h1', /^A kettle$/],
  },
  {
    task: 'answers a message',
    area: 'Service',
    steps: [...press('Messages'), ...press(/My lamp/), ...field('Message', 'It is on its way.'), ...press('Send')],
    shows: ['.messages', /It is on its way/],
  },
  {
    task: 'saves a distance',
    area: 'Delivery',
    steps: [
      ...press('New distance'),
      ...field('Name', 'Near'),
      ...field('To', '30'),
      ...field('Delivery fee', '9'),
      key('Enter'),
    ],
    shows: ['main', /Near/],
  },
  {
    task: 'adds a tax rate',
    area: 'Settings',
    steps: [...press('Taxes'), ...press('New tax rate'), ...field('Name', 'VAT'), ...field('Rate', '16'), key('Enter')],
    shows: ['table', /VAT.*16%/],
  },
  {
    task: 'reads a payment’s order',
    area: 'Payments',
    steps: [...press(/Succeeded/)],
    shows: ['main h1', /^Order \d+$/],
  },
];

describe.skipIf(!program)('the keyboard', { timeout: 120_000 }, () => {
  let stoa: Stoa;
  let keys: Keys;
  let browser: Browser;
  const { read, shows } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );

  const sell = async (): Promise<void> => {
    const { secret_test_key: secret, hmac_test_secret: hmacSecret } = keys;
    const back = server({ url: stoa.url, key: secret, hmacSecret });
    const product = await back.products.create({ name: 'Lamp', price: 10, stock: 50 });
    await back.products.create({ name: 'Vase', price: 20, stock: 50 });
    const { order } = await back.orders.create({
      items: [{ variant_id: product.variant_id!, quantity: 2 }],
      email: 'ada@example.com',
      shipping_address: KENYA,
    });
    const payment = await back.payments.initialize({
      provider: 'card_checkout',
      amount: order.amount_due,
      email: 'ada@example.com',
      order_id: order.id,
    });
    await back.sandbox.payments.settle({ reference: payment.reference, outcome: 'succeed' });
  };
  const ask = async (): Promise<void> => {
    const send = async (path: string, key: string, body: object, headers = {}) => {
      const reply = await stoa.send('POST', path, { key, body, headers });
      expect(reply.status, reply.text).toBe(201);
      return reply.body;
    };
    const person = { email: 'grace@example.com', password: PASSWORD, first_name: 'Grace' };
    const { session } = await send('/v1/auth/register', keys.secret_test_key, person);
    const thread = { subject: 'My lamp', body: 'Where is my lamp?' };
    await send('/v1/messaging/threads', keys.secret_test_key, thread, { 'x-auth-token': session.access_token });
  };

  const moveTo = async (name: string | RegExp): Promise<void> => {
    const isThere = (text: string): boolean => (typeof name === 'string' ? text === name : name.test(text));
    const seen: string[] = [];
    // Answers of the API may come a moment later, and with them further stops.
    await eventually(async () => {
      for (let stop = 0; stop < STOPS_MAX; stop++) {
        await browser.page.press('Tab');
        const focused = await read<string>(FOCUSED);
        if (isThere(focused)) return;
        seen.push(focused.slice(0, 30));
      }
      expect(seen.slice(-STOPS_MAX), `no stop is named ${name}`).toContain(name);
    });
  };
  const walk = async (steps: readonly Step[]): Promise<void> => {
    for (const step of steps) {
      if ('to' in step) await moveTo(step.to);
      else if ('opened' in step) await eventually(async () => expect(await read(FOCUSED)).toBe(step.opened));
      else if ('key' in step) await browser.page.press(step.key);
      else await browser.page.type(step.type);
    }
  };
  /** Goes to an area by the search, which Ctrl+K opens. */
  const openArea = async (area: string): Promise<void> => {
    await browser.page.press('k', 'Control');
    await eventually(async () => expect(await read(`document.activeElement.getAttribute('role')`)).toBe('combobox'));
    await browser.page.type(area);
    await shows('[role=option][aria-selected=true]', new RegExp(`^${area}Screen`));
    await browser.page.press('Enter');
    await shows('.frame main h1', /./);
    await eventually(async () => expect(await read(`document.querySelector('main [aria-busy=true]')`)).toBeNull());
  };

  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore({ plan: 'growth' });
    await sell();
    await ask();
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
  }, 90_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('signs in', async () => {
    const { email } = await join(stoa, keys, 'owner');
    await browser.page.open(`${stoa.url}/dashboard/sandbox`);
    await shows('label', 'Password');
    await walk([...field('E-mail address', email), ...field('Password', PASSWORD), key('Enter')]);
    await shows('.frame main h1', 'Home');
  });

  test('leaves a table by two stops of the Tab key', async () => {
    await openArea('Products');
    await moveTo(/^(?!Select).*Lamp/);
    const rows = `document.querySelectorAll('tbody tr').length`;
    expect(
      await read(
        `[...document.querySelectorAll('tbody :is(tr, td > a)')].filter(({ tabIndex }) => tabIndex === 0).length`,
      ),
    ).toBe(2);
    expect(await read(rows)).toBeGreaterThan(1);
  });

  test.each(TASKS)('$task', async ({ area, steps, shows: [selector, text] }) => {
    await openArea(area);
    await walk(steps);
    await shows(selector, text);
    await eventually(async () => expect(await read(`document.querySelector('dialog')`)).toBeNull());
  });
});
