// The sandbox's outbox page over HTTP; in a real browser a developer reads the
// mail, follows a magic link and is signed in.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const ask = (path: string, body: unknown, shopper: string) =>
  stoa.send('POST', path, { key: keys.secret_test_key, body, headers: { 'X-Shopper-IP': shopper } });

describe('the page', () => {
  test('runs its own style and script and nothing else', async () => {
    const reply = await fetch(`${stoa.url}/sandbox/outbox?token=ml_secret`);
    const text = await reply.text();
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect([reply.headers.get('cache-control'), reply.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    const policy = reply.headers.get('content-security-policy');
    for (const [, part] of text.matchAll(/<(?:style|script)>([\s\S]*?)<\/(?:style|script)>/g))
      expect(policy).toContain(`'sha256-${createHash('sha256').update(part!).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(text).not.toMatch(/https?:\/\/|ml_secret|innerHTML/);
  });

  test('takes no other verb, and answers HEAD without a body', async () => {
    const head = await fetch(`${stoa.url}/sandbox/outbox`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const posted = await stoa.send('POST', '/sandbox/outbox', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

const program = chromiumProgram();
describe.skipIf(program === null)('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(program!);
  });
  afterAll(() => browser.close());

  const read = <T>(expression: string): Promise<T> => browser.page.read<T>(expression);
  const texts = (selector: string): Promise<string[]> =>
    read(`[...document.querySelectorAll('${selector}')].map((each) => each.textContent)`);
  const type = (id: string, text: string): Promise<void> =>
    read(`void (document.getElementById('${id}').value = ${JSON.stringify(text)})`);
  const submit = (form: string): Promise<void> =>
    read(`void setTimeout(() => document.getElementById('${form}').requestSubmit(), 1)`);

  test('shows the mail of the key’s sandbox and uses the token of a link', async () => {
    const email = 'ada@example.com';
    await ask('/v1/auth/register', { email, password: 'correct horse battery', first_name: '<b>Ada</b>' }, '10.0.0.1');
    await ask('/v1/auth/send-otp', { email }, '10.0.0.2');
    await ask('/v1/auth/magic-link', { email }, '10.0.0.3');

    await browser.page.open(`${stoa.url}/sandbox/outbox`);
    expect(await texts('#messages li')).toEqual([]);
    await type('key', keys.secret_key);
    await submit('filter');
    await eventually(async () => expect(await texts('#note.wrong')).toHaveLength(1));
    await type('key', keys.secret_test_key);
    await submit('filter');
    await eventually(async () => expect(await texts('#messages li h2')).toHaveLength(2));
    expect((await texts('.code'))[0]).toMatch(/^\d{6}$/);
    expect(await texts('a.act')).toEqual(['Open the link', 'Use it here']);

    const here = await read<string>("[...document.querySelectorAll('a.act')].at(-1).href");
    await browser.page.open(here);
    await submit('redeem');
    await eventually(async () => expect((await texts('#answer'))[0]).toContain('access_token'));
    await submit('redeem');
    await eventually(async () => expect((await texts('#answer'))[0]).toContain('unauthorized'));
    expect(browser.page.complaints.filter((text) => /Content Security Policy|Refused/.test(text))).toEqual([]);
  });

  test('shows the HTML of a mail without running its script, and its text beside it', async () => {
    const shop = await stoa.createStore();
    const key = shop.secret_test_key;
    const html = '<p>Hello {{ order.number }}</p><script>parent.ran = 1</script><img src="x" onerror="parent.ran = 1">';
    await stoa.send('PUT', '/v1/mail-templates/order_placed', { key, body: { html } });
    const product = { name: 'Lamp', price: 5, stock: 5, shipping_info: { requires_shipping: false } };
    const { variant_id } = (await stoa.send('POST', '/v1/products', { key, body: product })).body;
    const body = { items: [{ variant_id, quantity: 1 }], email: 'ada@example.com' };
    await stoa.send('POST', '/v1/orders', { key, signWith: shop.hmac_test_secret, body });
    await browser.page.open(`${stoa.url}/sandbox/outbox`);
    await read(`void addEventListener('message', ({ data }) => { window.heard = data; })`);
    await type('key', key);
    await eventually(async () => {
      await submit('filter');
      expect(await texts('#messages li h2')).toHaveLength(1);
    });
    expect((await texts('#messages pre'))[0]).toContain('has received your order');
    // The frame's own script, which the mail's HTML waits for.
    await eventually(async () => expect(await read('window.heard')).toBe('mail-preview'));
    expect(await read('window.ran === undefined')).toBe(true);
    expect(await read(`document.querySelector('iframe').getAttribute('sandbox')`)).toBe('allow-scripts');
  });

  test('sets a new password with a reset link', async () => {
    const email = 'grace@example.com';
    await ask('/v1/auth/register', { email, password: 'correct horse battery' }, '10.0.0.4');
    await ask('/v1/auth/reset-password', { email }, '10.0.0.5');
    const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
    // A store without a website: its links lead to this page.
    const { link } = body.messages[0];
    expect(link).toMatch(/^http:\/\/[^/]+\/sandbox\/outbox\?token=pr_/);
    await browser.page.open(link);
    await type('key', keys.secret_test_key);
    await type('password', 'another battery');
    await submit('redeem');
    await eventually(async () => expect((await texts('#answer'))[0]).toContain('The password is changed.'));
    const login = await ask('/v1/auth/login', { email, password: 'another battery' }, '10.0.0.6');
    expect(login.status).toBe(200);
  });
});
