// Links lead to the edge's own address for any requested host.
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  const set = async (path: string, verb: string, body: object) => {
    const { status, text } = await stoa.send(verb, path, { key: keys.secret_key, body });
    expect(status, text).toBeLessThan(300);
  };
  await set('/v1/store', 'PATCH', { feeds: { products_enabled: true } });
  await set('/v1/store/policies/returns', 'PUT', { title: 'Returns', body: 'Within a month.', publish: true });
});

interface HostAnswer {
  readonly status: number;
  readonly text: string;
  readonly head: string;
}

/** Names another host, like a client that believes the edge to be there: `fetch` cannot. */
const askAs = (host: string, path: string, body?: object): Promise<HostAnswer> =>
  new Promise((resolve, reject) => {
    const raw = body === undefined ? '' : JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', keys.hmac_test_secret).update(`${timestamp}.${raw}`).digest('base64');
    const headers = {
      Host: host,
      'X-Forwarded-Host': host,
      Authorization: `Bearer ${keys.secret_test_key}`,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'X-Timestamp': timestamp,
        'X-Signature': signature,
        'Idempotency-Key': randomUUID(),
      }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`${stoa.url}${path}`, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, head: JSON.stringify(answer.headers) }));
    });
    sent.on('error', reject);
    sent.end(raw);
  });

test('answers working links of a payment', async () => {
  const payment = { provider: 'card_checkout', amount: 10, currency: 'USD', email: 'ada@example.com' };
  const { status, text } = await askAs('evil.example', '/v1/payments/initialize', payment);
  expect(status).toBe(200);
  expect(JSON.parse(text).checkout_url).toMatch(new RegExp(`^${stoa.url}/pay/`));
  expect(text).not.toContain('evil.example');
});

test.each([
  ['/v1/auth/magic-link', 'magic_link'],
  ['/v1/auth/reset-password', 'reset_password'],
])('of the mail that POST %s sends', async (path, kind) => {
  const email = `${kind}@example.com`;
  const account = { email, password: 'correct horse battery' };
  expect((await stoa.send('POST', '/v1/auth/register', { key: keys.secret_test_key, body: account })).status).toBe(201);
  expect((await askAs('evil.example', path, { email })).status).toBe(200);
  const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
  const [message] = body.messages.filter((each: { kind: string }) => each.kind === kind);
  expect(message.link).toMatch(new RegExp(`^${stoa.url}/`));
  expect(message.text).not.toContain('evil.example');
});

test('shows working links in the API’s description', async () => {
  const { body } = await stoa.send('GET', '/');
  expect(body.documentation_url).toBe(`${stoa.url}/docs`);
});

/** Reads without a name in the path, but for those that wait for events. */
const READ = routes
  .filter(({ verb, path }) => verb === 'GET' && !path.includes(':') && !path.startsWith('/v1/sandbox/activity'))
  .map(({ path }) => path);
const PAGES = [
  '/',
  '/docs',
  '/docs/guides',
  '/openapi.json',
  '/console',
  '/sandbox/outbox',
  '/v1/feeds/CODE/llms.txt',
  '/v1/feeds/CODE/products.json',
  '/v1/feeds/CODE/products.xml',
  '/s/CODE/.well-known/ucp',
  '/s/CODE/.well-known/acp.json',
  '/s/CODE/policies/returns',
];

test.each(PAGES)('shows working links on the page %s', async (path) => {
  const { status, text, head } = await askAs('evil.example', path.replace('CODE', keys.code));
  expect(status, text).toBe(200);
  expect(head + text).not.toContain('evil.example');
});

test.each(READ)('answers working links to GET %s', async (path) => {
  const { status, text, head } = await askAs('evil.example', path);
  expect(status).toBeLessThan(500);
  expect(head + text).not.toContain('evil.example');
});
