// Assertions over HTTP: the merchant's signed token, the store's verifier and its issuer's keys.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import { constantTimeEqual } from '#runtime/process/seal.ts';
import {
  auth,
  clock,
  closeShop,
  errorOf,
  keys,
  login,
  me,
  newCustomer,
  newEmail,
  openShop,
  other,
  PASSWORD,
  refresh,
  type SignedIn,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

/** The store's own: a verifier at /verify, public keys at /keys. */
let provider: Server;
let providerUrl: string;
let verify: (token: string, request: IncomingMessage, body: string) => { status: number; body: string } | 'silence';
let published: Record<string, unknown>[] = [];
let fetches = 0;

beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  await openShop();
  provider = createServer((request, response) => {
    if (request.url === '/keys') {
      fetches++;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: published }));
      return;
    }
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      const answer = verify(JSON.parse(body).token, request, body);
      if (answer !== 'silence') response.writeHead(answer.status).end(answer.body);
    });
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await closeShop();
});

type Header = 'x-external-auth' | 'x-idp-token';
const TEST_TENANT = () => ({ store: keys.store_id, environment: 'sandbox' }) as const;
const read = (header: Header, token: string, id: string, key = keys.publishable_test_key): Promise<Reply> =>
  stoa.send('GET', `/v1/customers/${id}`, { key, headers: { [header]: token } });
const customers = async (email: string) =>
  (await stoa.send('GET', `/v1/customers?email=${email}`, { key: keys.secret_test_key })).body.customers;
/**
 * Finds the customer of a token: another customer's path answers 403 to a customer, and 401 to a caller without one.
 */
const isSomebody = async (header: Header, token: string, key?: string): Promise<boolean> => {
  const { status } = await read(header, token, '00000000-0000-4000-8000-000000000000', key);
  expect([401, 403]).toContain(status);
  return status === 403;
};
const nowS = (): number => Math.floor(clock.real() / 1_000);

describe('x-external-auth', () => {
  let secret: string;
  const secretOf = async (environment: 'production' | 'sandbox' = 'sandbox'): Promise<string> => {
    const input = { store: keys.store_id, environment };
    return ok(await stoa.services.runtime.ask('StoreAdmin/CreateExternalAuthSecret', NO_TENANT, input))
      .external_auth_secret;
  };
  const sign = (claims: JWTPayload, key = secret, alg = 'HS256'): Promise<string> =>
    new SignJWT({ aud: keys.store_id, iat: nowS(), exp: nowS() + 600, ...claims })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(key));

  beforeAll(async () => {
    secret = await secretOf();
  });

  test('creates a customer for an unknown shopper and finds them again', async () => {
    const email = newEmail();
    const token = await sign({ sub: 'crm-7', email: email.toUpperCase() });
    expect(await isSomebody('x-external-auth', token)).toBe(true);
    const [customer, ...others] = await customers(email);
    expect([customer.external_id, customer.email, others]).toEqual(['crm-7', email, []]);
    const { status, body } = await read('x-external-auth', token, customer.id);
    expect([status, body.customer]).toEqual([200, customer]);
    // The address does not matter now: the external id is found first.
    const later = await sign({ sub: 'crm-7', email: newEmail() });
    expect(await statusOf(read('x-external-auth', later, customer.id))).toBe(200);
    const bare = await sign({ sub: 'crm-7' });
    expect(await statusOf(read('x-external-auth', bare, customer.id))).toBe(200);
  });

  test('creates one customer for ten concurrent assertions', async () => {
    const email = newEmail();
    const tokens = await Promise.all(
      Array.from({ length: 10 }, (_, at) => sign({ sub: 'crm-8', email, jti: `${at}` })),
    );
    const known = await Promise.all(tokens.map((token) => isSomebody('x-external-auth', token)));
    expect(known).toEqual(Array(10).fill(true));
    expect(await customers(email)).toHaveLength(1);
  });

  test('links the customer with the address once, and accepts our own ids', async () => {
    const mine = await newCustomer(keys.secret_test_key);
    const token = await sign({ sub: 'crm-9', email: mine.email });
    expect(await statusOf(read('x-external-auth', token, mine.id))).toBe(200);
    expect((await customers(mine.email))[0].external_id).toBe('crm-9');
    const stolen = await sign({ sub: 'crm-10', email: mine.email });
    expect(await isSomebody('x-external-auth', stolen)).toBe(false);
    const ours = await newCustomer(keys.secret_test_key);
    expect(await statusOf(read('x-external-auth', await sign({ sub: ours.id }), ours.id))).toBe(200);
  });

  describe('of an address that', () => {
    const key = (): string => keys.secret_test_key;
    const mailed = async (path: string, email: string) => {
      expect(await statusOf(auth('POST', `/v1/auth/${path}`, { key: key(), body: { email } }))).toBe(200);
      const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: key() });
      const [{ link, code }] = body.messages;
      return { email, code, token: link && new URL(link).searchParams.get('token'), password: PASSWORD };
    };
    const WAYS = {
      'a magic link': ['magic-link', 'magic-link/verify'],
      'a one-time code': ['send-otp', 'verify-otp'],
      'a reset': ['reset-password', 'reset-password/confirm'],
    } as const;
    /** From within the account's own session, where one is given. */
    const prove = async (email: string, by: keyof typeof WAYS, access = ''): Promise<void> => {
      const [asking, proving] = WAYS[by];
      const body = await mailed(asking, email);
      const headers = { 'x-auth-token': access };
      expect(await statusOf(auth('POST', `/v1/auth/${proving}`, { key: key(), body, headers }))).toBe(200);
    };
    /** Checks each way into the account: access token, refresh token and password. */
    const open = async (mine: SignedIn): Promise<boolean[]> => {
      const statuses = [
        await statusOf(me(mine.access, { key: key() })),
        await statusOf(refresh(mine.refresh, key())),
        await statusOf(login(mine.email, PASSWORD, key())),
      ];
      for (const status of statuses) expect([200, 401]).toContain(status);
      return statuses.map((status) => status === 200);
    };
    const link = async (mine: SignedIn): Promise<void> => {
      const token = await sign({ sub: `crm-${mine.id}`, email: mine.email });
      expect(await statusOf(read('x-external-auth', token, mine.id))).toBe(200);
    };

    test('ends earlier sessions and password once when the address is unproved', async () => {
      const mine = await newCustomer(key());
      expect(await statusOf(me(mine.access, { key: key() }))).toBe(200);
      await link(mine);
      expect(await open(mine)).toEqual([false, false, false]);
      // The owner may choose a password; being known by the other name again does not void it.
      await prove(mine.email, 'a reset');
      await link(mine);
      expect(await statusOf(login(mine.email, PASSWORD, key()))).toBe(200);
    });

    test('keeps sessions and password when the address was proved by mail', async () => {
      for (const by of ['a magic link', 'a one-time code'] as const) {
        const mine = await newCustomer(key());
        await prove(mine.email, by, mine.access);
        await link(mine);
        expect(await open(mine), by).toEqual([true, true, true]);
      }
      const { email, id } = await newCustomer(key());
      await prove(email, 'a reset');
      const { body } = await login(email, PASSWORD, key());
      await link({ email, id, access: '', refresh: '' });
      const { access_token: access, refresh_token } = body.session;
      expect(await open({ email, id, access, refresh: refresh_token })).toEqual([true, true, true]);
    });

    test('does not carry a proof over to a customer’s next address', async () => {
      const mine = await newCustomer(key());
      await prove(mine.email, 'a magic link', mine.access);
      const email = newEmail();
      const headers = { 'x-auth-token': mine.access };
      const moved = await stoa.send('PATCH', `/v1/customers/${mine.id}`, { key: key(), headers, body: { email } });
      expect(moved.status).toBe(200);
      await link({ ...mine, email });
      expect(await open({ ...mine, email })).toEqual([false, false, false]);
    });

    test('admits no concurrent login when the address is unproved', async () => {
      for (let round = 0; round < 8; round++) {
        const mine = await newCustomer(key());
        const logins = Promise.all(Array.from({ length: 4 }, () => login(mine.email, PASSWORD, key())));
        const [replies] = await Promise.all([logins, link(mine)]);
        for (const { status, body } of replies) {
          expect([200, 401]).toContain(status);
          if (status !== 200) continue;
          const { access_token, refresh_token } = body.session;
          expect(await open({ ...mine, access: access_token, refresh: refresh_token })).toEqual([false, false, false]);
        }
      }
    });
  });

  test('opens a shopper’s own endpoints, and is no session of ours', async () => {
    const mine = await newCustomer(keys.secret_test_key);
    const headers = { 'x-external-auth': await sign({ sub: mine.id }) };
    const changed = await stoa.send('PATCH', `/v1/customers/${mine.id}`, {
      key: keys.publishable_test_key,
      headers,
      body: { first_name: 'Grace' },
    });
    expect([changed.status, changed.body.customer.first_name]).toEqual([200, 'Grace']);
    const wishlists = await stoa.send('GET', `/v1/wishlist?customer_id=${mine.id}`, {
      key: keys.publishable_test_key,
      headers,
    });
    expect(wishlists.status).toBe(200);
    for (const [method, path] of [
      ['GET', '/v1/auth/me'],
      ['POST', '/v1/auth/logout'],
      ['POST', '/v1/auth/update-password'],
    ] as const) {
      const body = { current_password: 'correct horse battery', new_password: 'another battery' };
      const sent = { key: keys.secret_test_key, headers, ...(method === 'GET' ? {} : { body }) };
      expect(await statusOf(auth(method, path, sent)), path).toBe(401);
    }
    const twice = await stoa.send('GET', `/v1/customers/${mine.id}`, {
      key: keys.publishable_test_key,
      headers: { ...headers, 'x-auth-token': mine.access },
    });
    expect(errorOf(twice).slice(0, 2)).toEqual([400, 'invalid_request']);
  });

  test.each<[string, () => Promise<string>]>([
    ['of another secret', () => sign({ sub: 'a', email: newEmail() }, 'f'.repeat(64))],
    ['of another algorithm', () => sign({ sub: 'a', email: newEmail() }, secret, 'HS512')],
    [
      'without a signature',
      async () => `${btoa('{"alg":"none"}')}.${btoa(`{"aud":"${keys.store_id}","sub":"a","exp":9999999999}`)}.`,
    ],
    ['for another store', () => sign({ sub: 'a', email: newEmail(), aud: other.store_id })],
    ['for no store', () => sign({ sub: 'a', email: newEmail(), aud: undefined })],
    ['without a subject', () => sign({ email: newEmail() })],
    ['of an empty name', () => sign({ sub: '', email: newEmail() })],
    ['of a stranger without an address', () => sign({ sub: 'stranger' })],
    ['of a stranger whose address is none', () => sign({ sub: 'stranger', email: 'nowhere' })],
    ['of a stranger whose address has NUL', () => sign({ sub: 'stranger', email: 'a\0b@example.com' })],
    [
      'of a stranger whose address has a control character',
      () => sign({ sub: 'stranger', email: 'a\x07@example.com' }),
    ],
    ['of a stranger whose address has half a character', () => sign({ sub: 'stranger', email: 'a\ud800@example.com' })],
    ['of half a character', () => sign({ sub: 'a\ud800', email: newEmail() })],
    ['without an end', () => sign({ sub: 'a', email: newEmail(), exp: undefined })],
    ['that has ended', () => sign({ sub: 'a', email: newEmail(), iat: nowS() - 600, exp: nowS() - 1 })],
    ['of more than an hour', () => sign({ sub: 'a', email: newEmail(), exp: nowS() + 3_601 })],
    [
      'of a day that is nearly over',
      () => sign({ sub: 'a', email: newEmail(), iat: nowS() - 86_000, exp: nowS() + 100 }),
    ],
    ['of tomorrow', () => sign({ sub: 'a', email: newEmail(), iat: nowS() + 86_400, exp: nowS() + 86_500 })],
    ['that is no token', async () => 'nonsense'],
  ])('%s names no customer', async (_name, make) => {
    expect(await isSomebody('x-external-auth', await make())).toBe(false);
  });

  test('rejects an assertion in another environment or store, and after a new secret', async () => {
    const token = await sign({ sub: 'crm-11', email: newEmail() });
    expect(await isSomebody('x-external-auth', token)).toBe(true);
    for (const key of [keys.publishable_key, other.publishable_test_key])
      expect(await isSomebody('x-external-auth', token, key)).toBe(false);
    secret = await secretOf();
    await eventually(async () => expect(await isSomebody('x-external-auth', token)).toBe(false));
    expect(await isSomebody('x-external-auth', await sign({ sub: 'crm-11' }))).toBe(true);
  });
});

describe('x-idp-token', () => {
  const configure = async (idp: unknown): Promise<Reply> => {
    const reply = await stoa.send('PATCH', '/v1/store', { key: keys.secret_test_key, body: { idp } });
    expect(reply.status, reply.text).toBe(200);
    return reply;
  };

  test('names no customer where the store has no provider', async () => {
    await configure(null);
    expect(await isSomebody('x-idp-token', 'opaque')).toBe(false);
  });

  describe('of a verifier', () => {
    beforeAll(() => configure({ verifier_url: `${providerUrl}/verify` }));
    const answer = (status: number, body: unknown) => {
      verify = () => ({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
    };

    test('sends the token to the verifier, signed, at each request', async () => {
      const email = newEmail();
      const seen: string[] = [];
      verify = (token, request, body) => {
        const sent = String(request.headers['x-svc-signature']);
        const at = Number(/^t=(\d+),/.exec(sent)![1]);
        const signed = signatureHeaders({ secrets: [keys.hmac_test_secret], id: '', body, nowMs: at * 1_000 });
        seen.push(`${token} ${constantTimeEqual(sent, signed['x-svc-signature']!)}`);
        return { status: 200, body: JSON.stringify({ subject: 'u-1', email }) };
      };
      expect(await isSomebody('x-idp-token', 'opaque~1')).toBe(true);
      const [customer] = await customers(email);
      expect(customer.external_id).toBe('u-1');
      expect(await statusOf(read('x-idp-token', 'opaque~1', customer.id))).toBe(200);
      expect(seen).toEqual(['opaque~1 true', 'opaque~1 true']);
      answer(401, { subject: 'u-1', email });
      expect(await statusOf(read('x-idp-token', 'opaque~1', customer.id))).toBe(401);
    });

    test('signs with both HMAC secrets while one is rotated', async () => {
      const rotate = async (step: 'start' | 'undo' | 'finish') => {
        const input = { store: other.store_id, environment: 'sandbox', step } as const;
        return ok(await stoa.services.runtime.ask('StoreAdmin/RotateHmacSecret', NO_TENANT, input)).hmac_secret;
      };
      const idp = { verifier_url: `${providerUrl}/verify` };
      const set = await stoa.send('PATCH', '/v1/store', { key: other.secret_test_key, body: { idp } });
      expect(set.status, set.text).toBe(200);
      let signatures: string[] = [];
      let body = '';
      let at = 0;
      verify = (_token, request, sent) => {
        const [time = '', ...rest] = String(request.headers['x-svc-signature']).split(',');
        at = Number(time.slice('t='.length));
        [signatures, body] = [rest, sent];
        return { status: 200, body: JSON.stringify({ subject: 'u-9', email: newEmail() }) };
      };
      const by = (secret: string): string =>
        signatureHeaders({ secrets: [secret], id: '', body, nowMs: at * 1_000 })['x-svc-signature']!.split(',')[1]!;
      const fresh = (await rotate('start'))!;
      expect(await isSomebody('x-idp-token', 'opaque', other.publishable_test_key)).toBe(true);
      expect(signatures).toEqual([by(fresh), by(other.hmac_test_secret)]);
      await rotate('undo');
      await rotate('finish');
      expect(await isSomebody('x-idp-token', 'opaque', other.publishable_test_key)).toBe(true);
      expect(signatures).toEqual([by(other.hmac_test_secret)]);
    });

    test.each<[string, number, unknown]>([
      ['another status', 201, { subject: 'u-2', email: 'u2@example.com' }],
      ['a redirect', 302, { subject: 'u-2', email: 'u2@example.com' }],
      ['a fault', 500, { subject: 'u-2', email: 'u2@example.com' }],
      ['no JSON', 200, 'yes'],
      ['null', 200, 'null'],
      ['no subject', 200, { email: 'u2@example.com' }],
      ['a number as subject', 200, { subject: 2, email: 'u2@example.com' }],
      ['a stranger without an address', 200, { subject: 'u-2' }],
      ['a stranger whose address has NUL', 200, { subject: 'u-2', email: 'u2\0@example.com' }],
      ['half a character', 200, { subject: 'u-2\ud800', email: 'u2@example.com' }],
      ['an address that was not proved', 200, { subject: 'u-2', email: 'u2@example.com', email_verified: false }],
      ['too much', 200, JSON.stringify({ subject: 'u-2', email: 'u2@example.com' }) + ' '.repeat(70_000)],
    ])('names no customer after %s', async (_name, status, body) => {
      answer(status, body);
      expect(await isSomebody('x-idp-token', 'opaque')).toBe(false);
      expect(await customers('u2@example.com')).toEqual([]);
    });

    test('ends sessions and password once when it links an account with an unproved address', async () => {
      const mine = await newCustomer(keys.secret_test_key);
      answer(200, { subject: `u-${mine.id}`, email: mine.email });
      expect(await statusOf(read('x-idp-token', 'opaque', mine.id))).toBe(200);
      expect(await statusOf(me(mine.access, { key: keys.secret_test_key }))).toBe(401);
      expect(await statusOf(refresh(mine.refresh, keys.secret_test_key))).toBe(401);
      expect(await statusOf(login(mine.email, PASSWORD, keys.secret_test_key))).toBe(401);
      expect(await statusOf(read('x-idp-token', 'opaque', mine.id))).toBe(200);
    });

    test('names no customer while the verifier is silent or away', async () => {
      verify = () => 'silence';
      expect(await isSomebody('x-idp-token', 'opaque')).toBe(false);
      verify = (_token, request) => {
        request.socket.destroy();
        return 'silence';
      };
      expect(await isSomebody('x-idp-token', 'opaque')).toBe(false);
    });
  });

  describe('of an issuer with public keys', () => {
    const ISSUER = 'https://login.example/';
    type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
    const pairs: Record<string, Pair> = {};
    const publish = async (...names: string[]): Promise<void> => {
      published = [];
      for (const kid of names) {
        pairs[kid] ??= await generateKeyPair('ES256');
        published.push({ ...(await exportJWK(pairs[kid].publicKey)), kid, alg: 'ES256', use: 'sig' });
      }
    };
    const sign = (kid: string, claims: JWTPayload = {}): Promise<string> =>
      new SignJWT({ iss: ISSUER, aud: 'shop', sub: `u-${newEmail()}`, email: newEmail(), exp: nowS() + 600, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .sign(pairs[kid]!.privateKey);

    beforeAll(async () => {
      await publish('one');
      pairs.two = await generateKeyPair('ES256');
      await configure({ issuer: ISSUER, jwks_url: `${providerUrl}/keys`, audience: 'shop' });
    });

    test('verifies the token with keys that are fetched once', async () => {
      const before = fetches;
      for (let times = 0; times < 3; times++) expect(await isSomebody('x-idp-token', await sign('one'))).toBe(true);
      expect(fetches - before).toBe(1);
    });

    test.each<[string, () => Promise<string>]>([
      ['from another issuer', () => sign('one', { iss: 'https://login.example' })],
      ['for another audience', () => sign('one', { aud: 'another shop' })],
      ['that has ended', () => sign('one', { exp: nowS() - 60 })],
      ['that does not begin yet', () => sign('one', { nbf: nowS() + 600 })],
      ['of an unknown key', () => sign('two')],
      ['whose address is not proved', () => sign('one', { email_verified: false })],
      ['whose address is said in text not to be proved', () => sign('one', { email_verified: 'false' })],
      [
        'signed with what everybody knows',
        async () =>
          new SignJWT({ iss: ISSUER, aud: 'shop', sub: 'u', email: newEmail(), exp: nowS() + 600 })
            .setProtectedHeader({ alg: 'HS256', kid: 'one' })
            .sign(new TextEncoder().encode(JSON.stringify(published[0]))),
      ],
    ])('%s names no customer', async (_name, make) => {
      expect(await isSomebody('x-idp-token', await make())).toBe(false);
    });

    test('follows changed keys, and names no customer once they are old and cannot be fetched', async () => {
      await publish('two');
      clock.advance(30_000);
      expect(await isSomebody('x-idp-token', await sign('two'))).toBe(true);
      expect(await isSomebody('x-idp-token', await sign('one'))).toBe(false);
      published = 'nothing' as never;
      expect(await isSomebody('x-idp-token', await sign('two'))).toBe(true);
      clock.advance(10 * 60_000);
      expect(await isSomebody('x-idp-token', await sign('two'))).toBe(false);
    });
  });
});

test('rejects every assertion for a deleted customer at once', async () => {
  const input = { store: keys.store_id, environment: TEST_TENANT().environment };
  const secret = ok(await stoa.services.runtime.ask('StoreAdmin/CreateExternalAuthSecret', NO_TENANT, input));
  const mine = await newCustomer(keys.secret_test_key);
  const token = await new SignJWT({ aud: keys.store_id, sub: mine.id, iat: nowS(), exp: nowS() + 600 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret.external_auth_secret));
  await eventually(async () => expect(await statusOf(read('x-external-auth', token, mine.id))).toBe(200));
  await stoa.send('DELETE', `/v1/customers/${mine.id}`, { key: keys.secret_test_key });
  expect(await statusOf(read('x-external-auth', token, mine.id))).toBe(401);
});
