// The console: what is served, and in a real browser what a developer does there.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
/** Where events are sent: it does not want them at first. */
let receiver: ReturnType<typeof Bun.serve>;
let wanted = false;
const received: string[] = [];

beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  stoa = await startStoa();
  keys = await stoa.createStore();
  receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (wanted) received.push(((await request.json()) as { type: string }).type);
      return new Response('', { status: wanted ? 200 : 500 });
    },
  });
});
afterAll(async () => {
  await receiver?.stop(true);
  await stoa?.stop();
});

describe('what is served', () => {
  test.each([
    ['/console', 'text/html; charset=utf-8', 'Console'],
    ['/console/main.js', 'text/javascript; charset=utf-8', 'x-ratelimit'],
    ['/console/style.css', 'text/css; charset=utf-8', '.uplot'],
  ])('%s is from here alone, and kept by its tag', async (path, type, word) => {
    const response = await fetch(`${stoa.url}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect((await response.text()).toLowerCase()).toContain(word.toLowerCase());
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    const tag = response.headers.get('etag')!;
    expect((await fetch(`${stoa.url}${path}`, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    const head = await fetch(`${stoa.url}${path}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, '']);
    expect((await fetch(`${stoa.url}${path}`, { method: 'POST' })).status).toBe(405);
  });

  test('means what its types say', () => {
    const { status, stdout } = spawnSync('node_modules/.bin/tsc', ['-p', 'edge/pages/console'], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  });
});

const program = chromiumProgram();
if (!program)
  console.warn('No Chromium is installed (Debian: apt-get install chromium): the console is not tried in one.');

describe.skipIf(!program)('in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
    await browser.page.resize(360, 640);
  }, 60_000);
  afterAll(() => browser?.close());

  const read = <T>(expression: string): Promise<T> => browser.page.read<T>(expression);
  const shows = (selector: string, text: string | RegExp): Promise<void> =>
    eventually(async () =>
      expect(
        await read(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => e.textContent).join(' ')`),
      ).toMatch(text),
    );
  const press = (text: string): Promise<boolean> =>
    eventually(async () => {
      const found = await read<boolean>(`(() => {
        const button = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === ${JSON.stringify(text)} && !each.disabled);
        button?.click();
        return button !== undefined;
      })()`);
      expect(found, text).toBe(true);
      return found;
    });
  const type = (selector: string, text: string): Promise<void> =>
    read(`(() => {
      const input = document.querySelector(${JSON.stringify(selector)});
      input.value = ${JSON.stringify(text)};
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
  const signIn = async (key: string): Promise<void> => {
    await browser.page.open(`${stoa.url}/console`);
    await shows('h1', 'Console');
    await type('#key', key);
    await press('Sign in');
  };
  const fitsPhone = async (): Promise<void> => {
    expect(await read('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    const lowest =
      'Math.min(...[...document.querySelectorAll("button, input:not([type=checkbox])")].map((e) => e.getBoundingClientRect().height))';
    // Large enough for a thumb.
    expect(await read(lowest)).toBeGreaterThanOrEqual(44);
  };

  test('nobody enters without a secret key', async () => {
    await signIn(keys.publishable_test_key);
    await shows('[role=alert]', 'svc_sk_live_');
    await type('#key', `svc_sk_test_${'x'.repeat(32)}`);
    await press('Sign in');
    await shows('[role=alert]', /key/i);
    await fitsPhone();
  });

  test('a developer sees requests and events, has one sent again, moves the clock, begins anew', async () => {
    const key = keys.secret_test_key;
    const send = (path: string, body: unknown) => stoa.send('POST', path, { key, body });
    await send('/v1/webhook-endpoints', { url: receiver.url.href, events: ['product.created'] });
    await send('/v1/products', { name: 'Lamp', price: 20, stock: 3 });
    await send('/v1/promotions', {
      name: 'Tomorrow',
      type: 'percentage',
      value: 10,
      status: 'scheduled',
      starts_at: new Date(Date.now() + 12 * 3_600_000).toISOString(),
    });

    await signIn(key);
    await shows('#requests', /POST \/v1\/products/);
    await shows('figcaption', 'Requests a second');
    // Drawn only after its caption stands there.
    await eventually(async () => expect(await read('document.querySelectorAll(".chart canvas").length')).toBe(2));
    await fitsPhone();

    await press('Events');
    await shows('#events summary', /product\.created.*retrying/);
    wanted = true;
    await read(`document.querySelector('#events details:has(.sign.warn) summary').click()`);
    await fitsPhone();
    await press('Retry');
    await eventually(() => expect(received).toContain('product.created'));
    await shows('#events summary', /product\.created.*delivered/);

    await press('Sandbox');
    await press('Forward a day');
    await shows('#fired', 'promotion.activated');
    const { body } = await stoa.send('GET', '/v1/sandbox/clock', { key });
    expect(body.offset_seconds).toBeGreaterThan(86_000);
    await fitsPhone();
    await press('Reset …');
    await press('Delete all records of the sandbox');
    await shows('[role=status]', 'begun anew');
    expect((await stoa.send('GET', '/v1/products', { key })).body.products).toEqual([]);

    await press('Usage');
    await shows('#used', /requests/);
    await fitsPhone();
  });

  test('the key is in the page’s memory alone, and the page breaks no policy', async () => {
    await signIn(keys.secret_key);
    await shows('header', 'production');
    // No sandbox stands behind a live key.
    expect(await read('[...document.querySelectorAll("nav button")].map((b) => b.textContent)')).toEqual([
      'Traffic',
      'Events',
      'Usage',
    ]);
    expect(await read('[localStorage.length, sessionStorage.length, document.cookie, location.href]')).toEqual([
      0,
      0,
      '',
      `${stoa.url}/console`,
    ]);
    expect(await read('document.documentElement.outerHTML')).not.toContain(keys.secret_key);
    await browser.page.open(`${stoa.url}/console`);
    await shows('button', 'Sign in');
    expect(browser.page.complaints.filter((text) => !/40[013]/.test(text))).toEqual([]);
  });
});
