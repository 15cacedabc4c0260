// Ownership of conversations: only their customer and the store reach threads and messages, by each session header.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownPort } from '#test/support/port.ts';
import { SESSION_HEADERS, type Shopper } from '#test/support/session.ts';
import {
  as,
  asStore,
  begin,
  clock,
  closeShop,
  doorkeeper,
  keys,
  made,
  messagesOf,
  NO_ID,
  newShopper,
  openShop,
  other,
  shown,
  stoa,
  write,
} from './shop.ts';

let ada: Shopper;
let eve: Shopper;
beforeAll(async () => {
  await openShop();
  ada = await newShopper();
  eve = await newShopper();
});
afterAll(closeShop);
/** Advances the clock, so that no two messages have the same time. */
beforeEach(() => clock.advance(1_000));

// "| /v1/messaging/* | required, gated by thread or message ownership |"
describe('ownership', () => {
  /** Every call on a thread and a message, with a valid body. */
  const attempts = (thread: string, message: string) =>
    [
      ['GET', `/v1/messaging/threads/${thread}/messages`],
      ['POST', `/v1/messaging/threads/${thread}/messages`, { body: 'B' }],
      ['POST', `/v1/messaging/threads/${thread}/read`],
      ['DELETE', `/v1/messaging/messages/${message}`],
    ] as const;

  test('hides a thread and its messages from all other shoppers, as not found', async () => {
    const { thread, message } = await begin(as(ada));
    await write(asStore(), thread.id);
    const elsewhere = await newShopper(other);
    const live = await doorkeeper.signIn(keys, { environment: 'production' });
    const before = [await shown(as(ada), thread.id), await shown(asStore(), thread.id)];
    const strangers = [
      ['another shopper', as(eve)],
      ['another shopper, through the server', asEveByServer],
      ['a shopper of another store', as(elsewhere, other)],
      ['another store', asStore(other)],
      [
        'a shopper of production',
        (method: string, path: string, body?: unknown) =>
          stoa.send(method, path, { key: keys.publishable_key, headers: live.headers, body }),
      ],
      [
        'the store in production',
        (method: string, path: string, body?: unknown) => stoa.send(method, path, { key: keys.secret_key, body }),
      ],
    ] as const;
    for (const [who, call] of strangers)
      for (const [at, [method, path, body]] of attempts(thread.id, message.id).entries()) {
        const [absent, absentPath] = attempts(NO_ID, NO_ID)[at]!;
        const [foreign, none] = [await call(method, path, body), await call(absent, absentPath, body)];
        const where = `${who}: ${method} ${path} ${foreign.text}`;
        expect(foreign.status, where).toBe(404);
        const plain = ({ body: { error } }: typeof none) => ({
          ...error,
          message: error.message.replace(/: [0-9a-f-]{36}/, ''),
          request_id: '',
        });
        expect(plain(foreign), where).toEqual(plain(none));
      }
    expect([await shown(as(ada), thread.id), await shown(asStore(), thread.id)]).toEqual(before);
    expect(await messagesOf(as(ada), thread.id)).toHaveLength(2);
  });

  const asEveByServer = (method: string, path: string, body?: unknown) =>
    stoa.send(method, path, { key: keys.secret_test_key, headers: eve.headers, body });

  // "Orders, customers, cart items, wishlist entries, reviews and conversations made with a test key are never visible to
  // live keys."
  test('separates conversations of sandbox and production', async () => {
    const { thread } = await begin(asStore(), { customer_id: ada.id });
    const live = await doorkeeper.signIn(keys, { environment: 'production' });
    const sent = { key: keys.publishable_key, headers: live.headers };
    const body = { subject: 'Of production', body: 'B' };
    const opened = await made(stoa.send('POST', '/v1/messaging/threads', { ...sent, body }));
    const listed = async (options: { key: string; headers?: Record<string, string> }) =>
      (await made(stoa.send('GET', '/v1/messaging/threads?limit=100', options))).threads.map(
        ({ id }: { id: string }) => id,
      );
    expect(await listed(sent)).toEqual([opened.thread.id]);
    expect(await listed({ key: keys.secret_key })).toEqual([opened.thread.id]);
    const ofSandbox = await listed({ key: keys.secret_test_key });
    expect([ofSandbox.includes(thread.id), ofSandbox.includes(opened.thread.id)]).toEqual([true, false]);
    expect((await made(stoa.send('GET', '/v1/messaging/threads', { key: other.secret_test_key }))).threads).toEqual([]);
  });

  test('takes the shopper from the session, even with a secret key', async () => {
    const { thread, message } = await begin(as(ada));
    const byServer = (method: string, path: string, body?: unknown) =>
      stoa.send(method, path, { key: keys.secret_test_key, headers: ada.headers, body });
    expect((await write(byServer, thread.id)).sender).toBe('customer');
    expect((await shown(byServer, thread.id)).unread_count).toBe(0);
    expect(await made(byServer('DELETE', `/v1/messaging/messages/${message.id}`))).toMatchObject({ deleted: true });
    const body = { subject: 'S', body: 'B', customer_id: eve.id };
    expect((await byServer('POST', '/v1/messaging/threads', body)).status).toBe(403);
  });
});

// "Sent in `x-auth-token`. Alternatives: `x-external-auth` (bring-your-own-auth assertion) or `x-idp-token` (raw token of the
// store's own identity provider, forwarded to the store's configured verifier; verification fails closed with 401 if
// rejected or unreachable). Exactly one of the three per request."
describe('sessions', () => {
  /** Every endpoint that takes one; `owner` has the thread. */
  const endpoints = (thread: string, message: string) =>
    [
      ['GET', '/v1/messaging/threads', undefined, 200],
      ['POST', '/v1/messaging/threads', { subject: 'S', body: 'B' }, 201],
      ['GET', `/v1/messaging/threads/${thread}/messages`, undefined, 200],
      ['POST', `/v1/messaging/threads/${thread}/messages`, { body: 'B' }, 201],
      ['POST', `/v1/messaging/threads/${thread}/read`, undefined, 200],
      ['DELETE', `/v1/messaging/messages/${message}`, undefined, 200],
    ] as const;

  test.each(SESSION_HEADERS)('opens every endpoint to the shopper of a session by %s', async (header) => {
    const shopper = await doorkeeper.assert(keys, header, ada);
    expect(Object.keys(shopper.headers)).toEqual([header]);
    const { thread, message } = await begin(as(shopper));
    expect(thread.customer_id).toBe(ada.id);
    for (const [method, path, body, status] of endpoints(thread.id, message.id)) {
      const reply = await as(shopper)(method, path, body);
      expect(reply.status, `${method} ${path} ${reply.text}`).toBe(status);
    }
    const outsider = await doorkeeper.assert(keys, header, eve);
    for (const [method, path, body] of endpoints(thread.id, message.id).slice(2))
      expect((await as(outsider)(method, path, body)).status, `${method} ${path}`).toBe(404);
  });

  test('refuses two sessions in one request at every endpoint', async () => {
    const { thread, message } = await begin(as(ada));
    for (const first of SESSION_HEADERS)
      for (const second of SESSION_HEADERS.filter((header) => header > first)) {
        const [one, two] = [await doorkeeper.assert(keys, first, ada), await doorkeeper.assert(keys, second, ada)];
        for (const [method, path, body] of endpoints(thread.id, message.id)) {
          const reply = await as({ id: ada.id, headers: { ...one.headers, ...two.headers } })(method, path, body);
          expect([reply.status, reply.body.error.code], `${first} ${second} ${method} ${path}`).toEqual([
            400,
            'invalid_request',
          ]);
        }
      }
    expect(await messagesOf(as(ada), thread.id)).toEqual([message]);
  });

  // "Required in addition to the API key"
  test('requires a session with a publishable key and refuses invalid ones', async () => {
    const { thread, message } = await begin(as(ada));
    // The verifier is in place, and knows no such token.
    await doorkeeper.assert(keys, 'x-idp-token', ada);
    const rejected = SESSION_HEADERS.map((header) => ({ [header]: `at_${'0'.repeat(43)}` }));
    for (const headers of [{}, ...rejected])
      for (const [method, path, body] of endpoints(thread.id, message.id)) {
        const reply = await stoa.send(method, path, { key: keys.publishable_test_key, headers, body });
        expect([reply.status, reply.body.error.code], `${method} ${path}`).toEqual([401, 'unauthorized']);
        const unasked = await stoa.send(method, path, { headers: ada.headers, body });
        expect(unasked.status, 'no key').toBe(401);
      }
    // A rejected session is not the store's word either.
    for (const headers of rejected) {
      const reply = await stoa.send('GET', '/v1/messaging/threads', { key: keys.secret_test_key, headers });
      expect(reply.status).toBe(401);
    }
    const ofOther = await newShopper(other);
    expect((await as(ofOther)('GET', '/v1/messaging/threads')).status).toBe(401);
  });

  test('refuses x-idp-token where the verifier is unreachable', async () => {
    const outsider = await newShopper(other);
    const body = { idp: { verifier_url: `http://127.0.0.1:${await ownPort()}/verify` } };
    await made(stoa.send('PATCH', '/v1/store', { key: other.secret_test_key, body }));
    for (const key of [other.publishable_test_key, other.secret_test_key]) {
      const reply = await stoa.send('GET', '/v1/messaging/threads', { key, headers: { 'x-idp-token': outsider.id } });
      expect([reply.status, reply.body.error.code]).toEqual([401, 'unauthorized']);
    }
  });

  test('end where the shopper signs out', async () => {
    const shopper = await newShopper();
    const { thread } = await begin(as(shopper));
    await made(
      stoa.send('POST', '/v1/auth/logout', {
        key: keys.secret_test_key,
        headers: { ...shopper.headers, 'X-Shopper-IP': '2001:db8:1::1' },
        body: {},
      }),
    );
    expect((await as(shopper)('POST', `/v1/messaging/threads/${thread.id}/read`)).status).toBe(401);
  });
});
