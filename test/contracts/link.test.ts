// Links lead to the edge's own address, whatever host a request names.
import { createHmac, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

/** As a client would that believes the edge to be elsewhere: `fetch` does not let a caller name the host. */
const postAs = (host: string, path: string, body: object): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const raw = JSON.stringify(body);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', keys.hmac_test_secret).update(`${timestamp}.${raw}`).digest('base64');
    const headers = {
      Host: host,
      Authorization: `Bearer ${keys.secret_test_key}`,
      'Content-Type': 'application/json',
      'X-Timestamp': timestamp,
      'X-Signature': signature,
      'Idempotency-Key': randomUUID(),
    };
    const sent = request(`${stoa.url}${path}`, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(raw);
  });

test('of a payment', async () => {
  const payment = { provider: 'card_checkout', amount: 10, currency: 'USD', email: 'ada@example.com' };
  const { status, text } = await postAs('evil.example', '/v1/payments/initialize', payment);
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
  expect((await postAs('evil.example', path, { email })).status).toBe(200);
  const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
  const [message] = body.messages.filter((each: { kind: string }) => each.kind === kind);
  expect(message.link).toMatch(new RegExp(`^${stoa.url}/`));
  expect(message.text).not.toContain('evil.example');
});

test('of the API’s own description', async () => {
  const { body } = await stoa.send('GET', '/');
  expect(body.documentation_url).toBe(`${stoa.url}/docs`);
});
