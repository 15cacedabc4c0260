// The list of orders of a store with 100,000 of them in a real browser: it is scrolled page by page, while the page stays small
// and each request does. STOA_ROWS=100000 scrolls to its end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basket, createSingleProductStore, placeOrder } from '#test/services/order/single_product_store.ts';
import { join } from '#test/services/staff/client.ts';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { visitDashboard } from '#test/support/dashboard.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const program = chromiumProgram();
const ORDERS = 100_000;
/** A statement ends after a few seconds. */
const COPIES = 5_000;
const ROWS = Number(process.env.STOA_ROWS ?? 2_000);
const DRAWN_ROWS_MAX = 120;
const ELEMENTS_MAX = 3_000;
const ANSWER_BYTES_MAX = 20_000;
const SCROLL_TIMEOUT_MS = 900_000;

describe.skipIf(!program)('a list of 100,000 orders', { timeout: SCROLL_TIMEOUT_MS }, () => {
  let stoa: Stoa;
  let browser: Browser;
  let first = 0;
  const { read, shows, signInAs } = visitDashboard(
    () => browser.page,
    () => stoa.url,
  );

  beforeAll(async () => {
    stoa = await sharedStoa();
    const shop = await createSingleProductStore(stoa);
    const order = await placeOrder(shop, basket(shop));
    first = Number(order.order_number);
    const { sql } = stoa.services.runtime.postgres;
    for (let from = 1; from < ORDERS; from += COPIES) {
      const to = Math.min(ORDERS - 1, from + COPIES - 1);
      await sql`
        insert into orders.order
        select copy.* from orders.order one, generate_series(${from}::int, ${to}::int) n,
          lateral jsonb_populate_record(one, jsonb_build_object('id', md5('order ' || one.id || n)::uuid,
            'attempt', md5('attempt ' || one.id || n)::uuid, 'number', one.number + n,
            'created_at', one.created_at + n * interval '1 millisecond')) copy
        where one.id = ${order.id}`;
      await sql`
        insert into orders.line
        select copy.* from orders.line one, generate_series(${from}::int, ${to}::int) n,
          lateral jsonb_populate_record(one, jsonb_build_object('id', md5('line ' || one.order_id || n)::uuid,
            'order_id', md5('order ' || one.order_id || n)::uuid)) copy
        where one.order_id = ${order.id}`;
    }
    await sql`analyze orders.order, orders.line`;
    browser = await openBrowser(program!);
    await browser.page.resize(1280, 900);
    await signInAs((await join(stoa, shop, 'orders')).cookie, 'orders');
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
  });

  test('scrolls page by page, with as many rows drawn as fit', async () => {
    await shows('tbody', new RegExp(`#${first + ORDERS - 1}`));
    await read(`window.answers = [];
      performance.setResourceTimingBufferSize(10_000);
      new PerformanceObserver((list) => window.answers.push(...list.getEntries()
        .filter(({ name }) => name.includes('/v1/orders?')).map(({ encodedBodySize }) => encodedBodySize)))
        .observe({ type: 'resource', buffered: true })`);
    let drawn = 0;
    for (let last = 50; last < ROWS; last += 50) {
      const wanted = first + ORDERS - last - 50;
      await eventually(async () => {
        await read('scrollTo(0, document.documentElement.scrollHeight)');
        const { numbers, rows } = await read<{ numbers: number[]; rows: number }>(`(() => {
          const rows = [...document.querySelectorAll('tbody tr:not(.space)')];
          return { rows: rows.length, numbers: rows.map(({ cells }) => Number(/#(\\d+)/.exec(cells[1].textContent)[1])) };
        })()`);
        drawn = Math.max(drawn, rows);
        expect(numbers.at(-1)).toBeLessThanOrEqual(wanted);
      });
    }
    expect(drawn).toBeLessThan(DRAWN_ROWS_MAX);
    expect(await read('document.getElementsByTagName("*").length')).toBeLessThan(ELEMENTS_MAX);
    const answers = await read<number[]>('window.answers');
    expect(answers.length).toBeGreaterThanOrEqual(ROWS / 50 - 1);
    expect(Math.max(...answers)).toBeLessThan(ANSWER_BYTES_MAX);
    if (process.env.STOA_ROWS)
      console.log({
        rows: ROWS,
        drawn,
        largestAnswer: Math.max(...answers),
        elements: await read('document.getElementsByTagName("*").length'),
      });
  });

  test('goes to the newest one again by one key', async () => {
    await read(`document.querySelector('tbody tr:not(.space)').focus()`);
    await browser.page.press('Home');
    await eventually(async () =>
      expect(await read('document.activeElement.textContent')).toContain(`#${first + ORDERS - 1}`),
    );
    expect(browser.page.complaints).toEqual([]);
  });
});
