// Sessions at the edge: which calls need one, whose it must be, how long it is believed, and what goes on with it.
import { randomUUID } from 'node:crypto';
import { type TSchema, Type } from '@sinclair/typebox';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEdge } from '#edge/edge.ts';
import type { Principal } from '#edge/gates/principal.ts';
import { readSessionId, readToken, SessionGate, type Sessions, type Shopper } from '#edge/gates/session.ts';
import { type Edge, Pipeline } from '#edge/pipeline.ts';
import { Visit } from '#edge/visit.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call.ts';
import type { Answer, Ask, Wire } from '#runtime/link/frame.ts';
import type { Notice } from '#runtime/notice.ts';
import { sha256 } from '#runtime/seal.ts';
import { testLog } from '#test/support/server.ts';

const STORE = randomUUID();
const LIVE: Tenant = { store: STORE, environment: 'production' };
const SANDBOX: Tenant = { store: STORE, environment: 'sandbox' };
const ADA = randomUUID();
const BOB = randomUUID();
const HOUR_MS = 3_600_000;

const tokenOf = (letter: string): string => `at_${letter.repeat(43)}`;
const KEY_TYPES = ['publishable', 'secret'] as const;
const keyText = (type: (typeof KEY_TYPES)[number], { environment }: Tenant = LIVE): string =>
  `Bearer svc_${type === 'secret' ? 'sk' : 'pk'}_${environment === 'sandbox' ? 'test' : 'live'}_abcdefgh`;

interface Stored {
  readonly tenant: Tenant;
  readonly customer: string;
  readonly session: string;
  remainingMs: number;
}

/** Services as an edge sees them: keys, sessions, and an endpoint that answers what it was asked. */
class Services implements Wire {
  readonly asks: Ask[] = [];
  readonly sessions = new Map<string, Stored>();
  /** Holds answers to questions about sessions back. */
  gate: Promise<void> = Promise.resolve();
  down = false;
  #hear: (notice: Notice | null) => void = () => {};

  async ask(ask: Ask): Promise<Answer> {
    this.asks.push(ask);
    const input = JSON.parse(ask.input);
    if (ask.rpc === 'StoreDirectory/ReadUsage') return this.#answer({ entries: [] });
    if (ask.rpc === 'StoreDirectory/ResolveKey') return this.#answer({ principal: principalOfHash(input.key_hash) });
    if (ask.rpc !== 'SessionDirectory/ResolveSession') return this.#answer({ ok: true });
    const stored = this.sessions.get(input.token_hash);
    await this.gate;
    if (this.down) return this.#answer(refuse('service_unavailable', 'Down.', { retryAfterS: 1 }));
    const { store, environment } = ask.caller.tenant;
    if (
      !stored ||
      stored.tenant.store !== store ||
      stored.tenant.environment !== environment ||
      stored.remainingMs <= 0
    )
      return this.#answer(refuse('not_found', 'No such session.'));
    const { customer, session, remainingMs } = stored;
    return this.#answer({ customer_id: customer, session_id: session, expires_at: '', remaining_ms: remainingMs });
  }

  signIn(letter: string, customer: string, tenant = LIVE): Stored {
    const stored = { tenant, customer, session: randomUUID(), remainingMs: HOUR_MS };
    this.sessions.set(sha256(tokenOf(letter)).toString('hex'), stored);
    return stored;
  }

  signOut(letter: string): void {
    this.sessions.delete(sha256(tokenOf(letter)).toString('hex'));
  }

  tell(notice: Notice | null): void {
    this.#hear(notice);
  }

  /** Questions about sessions so far. */
  get questions(): number {
    return this.asks.filter(({ rpc }) => rpc === 'SessionDirectory/ResolveSession').length;
  }

  listen(hear: (notice: Notice | null) => void): void {
    this.#hear = hear;
  }
  serves = (): boolean => true;
  close = async (): Promise<void> => {};

  #answer(value: unknown): Answer {
    const refused = value instanceof Refusal ? value : null;
    const body = new TextEncoder().encode(refused ? '' : JSON.stringify(value));
    return { body, revision: 0, subject: '', replayed: false, refused };
  }
}

const UNLIMITED = { key_hour: 0, key_day: 0, network_hour: 0, month: 0 };
const principalOfHash = (hash: string) => {
  for (const tenant of [LIVE, SANDBOX])
    for (const type of KEY_TYPES)
      if (sha256(keyText(type, tenant).slice('Bearer '.length)).toString('hex') === hash)
        return {
          key_id: `${type} ${tenant.environment}`,
          key_type: type,
          store_id: tenant.store,
          environment: tenant.environment,
          limits: UNLIMITED,
          hmac_secret: 'secret',
        };
  throw new Error('This key is not of the test.');
};

let services: Services;
let edge: Edge;
let sessions: Sessions;
let principals: Readonly<Record<'publishable' | 'secret' | 'sandbox', Principal>>;

beforeEach(async () => {
  services = new Services();
  edge = createEdge({ wire: services, redis: null, log: testLog(), trustedProxies: '', cacheBytesMax: 1_000_000 });
  sessions = edge.sessions;
  const principal = async (text: string) => (await edge.principals.resolve(text)) as Principal;
  principals = {
    publishable: await principal(keyText('publishable')),
    secret: await principal(keyText('secret')),
    sandbox: await principal(keyText('secret', SANDBOX)),
  };
});
afterEach(() => {
  vi.restoreAllMocks();
});

const headersOf = (token?: string, more: Record<string, string> = {}): Headers =>
  new Headers({ ...(token ? { 'x-auth-token': token } : {}), ...more });

describe('of the three headers', () => {
  test.each<[string, Record<string, string>, string]>([
    ['none is no session', {}, 'none'],
    ['an empty one is no session', { 'x-auth-token': '' }, 'none'],
    ['one is a session', { 'x-auth-token': 'a' }, 'x-auth-token a'],
    ['another one is a session', { 'x-idp-token': 'b' }, 'x-idp-token b'],
    [
      'an empty one beside a full one counts for nothing',
      { 'x-auth-token': '', 'x-external-auth': 'c' },
      'x-external-auth c',
    ],
    ['two are one too many', { 'x-auth-token': 'a', 'x-idp-token': 'b' }, 'invalid_request x-idp-token'],
    [
      'three are two too many',
      { 'x-auth-token': 'a', 'x-external-auth': 'c', 'x-idp-token': 'b' },
      'invalid_request x-external-auth',
    ],
  ])('%s', (_name, headers, expected) => {
    const token = readToken(new Headers(headers));
    const told =
      token === null
        ? 'none'
        : token instanceof Refusal
          ? `${token.code} ${token.extra.param}`
          : `${token.header} ${token.text}`;
    expect(told).toBe(expected);
  });
});

test.each<[string | undefined, string | null]>([
  [undefined, ''],
  ['', ''],
  ['abc-123', 'abc-123'],
  ['x'.repeat(128), 'x'.repeat(128)],
  ['x'.repeat(129), null],
  ['two words', null],
  ['caf\u00e9', null],
])('X-Session-Id %j names %j', (text, expected) => {
  expect(readSessionId(new Headers(text === undefined ? {} : { 'X-Session-Id': text }))).toBe(expected);
});

interface RouteShape {
  readonly session: Route['access']['session'];
  readonly path?: string;
  readonly verb?: Route['verb'];
  readonly cache?: Route['cache'];
}

const customerId = Type.Optional(Type.String({ format: 'uuid' })) as TSchema;
const routeOf = ({ session, path = '/v1/cart', verb = 'GET', cache = 'none' }: RouteShape): Route => ({
  verb,
  path,
  rpc: 'Test/Echo',
  access: { key: 'publishable', session, signed: false, live_only: false },
  limit: 'plan',
  cache,
  status: 200,
  envelope: '',
  fields: null,
  body: verb === 'GET' ? null : { bytes_max: 1_000, raw: [] },
  params: [],
  query:
    verb === 'GET'
      ? [
          { name: 'customer_id', type: 'text' },
          { name: 'note', type: 'text' },
        ]
      : [],
  request: Type.Object({
    customer_id: customerId,
    note: Type.Optional(Type.String()),
    id: Type.Optional(Type.String()),
  }),
  response: Type.Object({}),
  produces: 'application/json',
  operation: {},
});

describe('the rules', () => {
  const CUSTOMERS = '/v1/customers/:id';
  type Row = [
    string,
    Route['access']['session'],
    'publishable' | 'secret',
    { token?: string; path?: string; id?: string; search?: string },
    string,
  ];
  test.each<Row>([
    ['a session, always', 'customer', 'publishable', {}, 'unauthorized'],
    ['a session, with a secret key too', 'customer', 'secret', {}, 'unauthorized'],
    ['a session, and goes on with it', 'customer', 'publishable', { token: 'a' }, ADA],
    ['a session that is good', 'customer', 'publishable', { token: 'z' }, 'unauthorized'],
    ['its own customer in the query', 'customer', 'publishable', { token: 'a', search: `customer_id=${ADA}` }, ADA],
    [
      'its own customer in any case',
      'customer',
      'publishable',
      { token: 'a', search: `customer_id=${ADA.toUpperCase()}` },
      ADA,
    ],
    [
      'no other customer in the query',
      'customer',
      'publishable',
      { token: 'a', search: `customer_id=${BOB}` },
      'forbidden',
    ],
    [
      'no other customer in an escaped query',
      'customer',
      'publishable',
      { token: 'a', search: `%63ustomer_id=${BOB}` },
      'forbidden',
    ],
    ['no customer that nobody can be', 'customer', 'publishable', { token: 'a', search: 'customer_id=7' }, 'forbidden'],
    ['its own customer in the path', 'customer', 'publishable', { token: 'a', path: CUSTOMERS, id: ADA }, ADA],
    ['no other customer in the path', 'customer', 'publishable', { token: 'a', path: CUSTOMERS, id: BOB }, 'forbidden'],
    ['a session before it looks at the path', 'customer', 'publishable', { path: CUSTOMERS, id: BOB }, 'unauthorized'],
    ['nothing of ids in other paths', 'customer', 'publishable', { token: 'a', path: '/v1/returns/:id', id: BOB }, ADA],
    ['no session of an anonymous call', 'when_named', 'publishable', {}, 'nobody'],
    ['none where the name stands in a value', 'when_named', 'publishable', { search: 'note=customer_id' }, 'nobody'],
    [
      'a session of whoever names a customer',
      'when_named',
      'publishable',
      { search: `customer_id=${ADA}` },
      'unauthorized',
    ],
    ['a session of a server that names one', 'when_named', 'secret', { search: `customer_id=${ADA}` }, 'unauthorized'],
    [
      'a session of whoever names an empty one',
      'when_named',
      'publishable',
      { search: 'customer_id=' },
      'unauthorized',
    ],
    [
      'a session of whoever names one badly',
      'when_named',
      'publishable',
      { search: 'customer_id=%ff' },
      'unauthorized',
    ],
    ['the very customer', 'when_named', 'publishable', { token: 'a', search: `customer_id=${BOB}` }, 'forbidden'],
    ['a good session even of an anonymous call', 'when_named', 'publishable', { token: 'z' }, 'unauthorized'],
    ['no session of a server', 'or_store', 'secret', {}, 'nobody'],
    ['none of a server that names a customer', 'or_store', 'secret', { search: `customer_id=${ADA}` }, 'nobody'],
    ['a session of a shopper', 'or_store', 'publishable', {}, 'unauthorized'],
    [
      'the shopper of a server that sends one',
      'or_store',
      'secret',
      { token: 'a', search: `customer_id=${BOB}` },
      'forbidden',
    ],
  ])('want %s (%s, %s)', async (_name, session, key, { token, path, id, search = '' }, expected) => {
    services.signIn('a', ADA);
    const gate = new SessionGate(routeOf({ session, ...(path ? { path } : {}) }));
    const headers = headersOf(token && tokenOf(token));
    const shopper = await gate.enter(sessions, principals[key], headers, id ? { id } : {}, search);
    expect(shopper instanceof Refusal ? shopper.code : (shopper?.customer ?? 'nobody')).toBe(expected);
  });

  const ada = { customer: ADA } as Shopper;
  test.each<[string, Route['access']['session'], Shopper | null, unknown, string]>([
    ['its own customer', 'customer', ada, ADA, 'goes on'],
    ['its own customer in any case', 'customer', ada, ADA.toUpperCase(), 'goes on'],
    ['another customer', 'customer', ada, BOB, 'forbidden'],
    ['nobody', 'customer', ada, undefined, 'goes on'],
    ['null', 'when_named', null, null, 'goes on'],
    ['what the next check refuses', 'when_named', null, 7, 'goes on'],
    ['a customer without a session', 'when_named', null, ADA, 'unauthorized'],
    ['another customer', 'when_named', ada, BOB, 'forbidden'],
    ['a customer for the store', 'or_store', null, ADA, 'goes on'],
  ])('let a body name %s (%s): %s', (_name, session, shopper, named, expected) => {
    const input: Record<string, unknown> = named === undefined ? {} : { customer_id: named };
    const refusal = new SessionGate(routeOf({ session })).checkInput(shopper, input);
    expect(refusal?.code ?? 'goes on').toBe(expected);
    if (!refusal && shopper && named !== undefined) expect(input.customer_id).toBe(ADA);
  });

  test('take a customer’s id from the path as we write it', () => {
    const input = { id: ADA.toUpperCase() };
    new SessionGate(routeOf({ session: 'customer', path: CUSTOMERS })).checkInput(ada, input);
    expect(input.id).toBe(ADA);
  });
});

describe('a session', () => {
  const resolve = async (letter = 'a', principal = principals.secret): Promise<string> => {
    const found = await sessions.shopper(principal, { header: 'x-auth-token', text: tokenOf(letter) });
    return found instanceof Refusal ? found.code : found.customer;
  };
  const later = (ms: number): void => {
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + ms);
  };

  test('is asked for once, by its digest, and then known at once', async () => {
    services.signIn('a', ADA);
    expect(await Promise.all([resolve(), resolve(), resolve()])).toEqual([ADA, ADA, ADA]);
    expect(await resolve()).toBe(ADA);
    expect(services.questions).toBe(1);
    expect(JSON.stringify(services.asks)).not.toContain(tokenOf('a'));
    expect(sessions.shopper(principals.secret, { header: 'x-auth-token', text: tokenOf('a') })).not.toBeInstanceOf(
      Promise,
    );
  });

  test('is one caller a key, so that it is encoded once', async () => {
    services.signIn('a', ADA);
    await resolve();
    const shopper = (principal: Principal) =>
      sessions.shopper(principal, { header: 'x-auth-token', text: tokenOf('a') });
    expect(shopper(principals.secret)).toBe(shopper(principals.secret));
    expect(shopper(principals.publishable)).toMatchObject({ keyType: 'publishable', customer: ADA, tenant: LIVE });
    expect((shopper(principals.publishable) as Shopper).scope).not.toBe((shopper(principals.secret) as Shopper).scope);
  });

  test('is asked for again after half a minute', async () => {
    services.signIn('a', ADA);
    await resolve();
    services.signOut('a');
    later(29_000);
    expect(await resolve()).toBe(ADA);
    later(2_000);
    expect(await resolve()).toBe('unauthorized');
  });

  test('is not believed beyond its end', async () => {
    services.signIn('a', ADA).remainingMs = 5_000;
    expect(await resolve()).toBe(ADA);
    services.signOut('a');
    later(5_000);
    expect(await resolve()).toBe('unauthorized');
  });

  test('of one tenant is nobody’s to another, known or not', async () => {
    services.signIn('a', ADA);
    expect(await resolve('a', principals.sandbox)).toBe('unauthorized');
    expect(await resolve()).toBe(ADA);
    expect(await resolve('a', principals.sandbox)).toBe('unauthorized');
    expect(await resolve()).toBe(ADA);
  });

  test('that is not good is asked for each time, as it may be good the next', async () => {
    expect(await resolve()).toBe('unauthorized');
    services.signIn('a', ADA);
    expect(await resolve()).toBe(ADA);
  });

  test.each(['', 'at_', 'rt_'.padEnd(46, 'x'), tokenOf('a').slice(0, -1), `${tokenOf('a')}x`, `${tokenOf('a')}, x`])(
    'cannot be "%s": nobody is asked',
    async (text) => {
      const found = await sessions.shopper(principals.secret, { header: 'x-auth-token', text });
      expect([(found as Refusal).code, services.questions]).toEqual(['unauthorized', 0]);
    },
  );

  test.each(['x-external-auth', 'x-idp-token'] as const)(
    'in %s is refused while there is no verifier',
    async (header) => {
      const found = await sessions.shopper(principals.secret, { header, text: tokenOf('a') });
      expect([(found as Refusal).code, services.questions]).toEqual(['unauthorized', 0]);
    },
  );

  test('is unavailable, not rejected, while nobody can be asked', async () => {
    services.signIn('a', ADA);
    services.down = true;
    expect(await resolve()).toBe('service_unavailable');
    services.down = false;
    expect(await resolve()).toBe(ADA);
  });

  test('that ended is forgotten at the notice, and no other', async () => {
    const ended = services.signIn('a', ADA);
    services.sessions.set(sha256(tokenOf('b')).toString('hex'), ended);
    services.signIn('c', BOB);
    for (const letter of ['a', 'b', 'c']) await resolve(letter);
    for (const letter of ['a', 'b']) services.signOut(letter);
    services.tell({ tenant: LIVE, revision: 0, subjects: ['session', ended.session] });
    expect([await resolve('a'), await resolve('b')]).toEqual(['unauthorized', 'unauthorized']);
    const asked = services.questions;
    expect(await resolve('c')).toBe(BOB);
    expect([services.questions, sessions.size]).toEqual([asked, 1]);
  });

  test('of a tenant is forgotten with all of them where the notice names none', async () => {
    services.signIn('a', ADA);
    services.signIn('b', BOB, SANDBOX);
    await resolve();
    await resolve('b', principals.sandbox);
    services.tell({ tenant: SANDBOX, revision: 0, subjects: ['session'] });
    expect(sessions.size).toBe(1);
    services.tell(null);
    expect(sessions.size).toBe(0);
  });

  test('that ends while it is asked for is not kept', async () => {
    const { session } = services.signIn('a', ADA);
    let open = (): void => {};
    services.gate = new Promise((resolve) => {
      open = resolve;
    });
    const asking = resolve();
    services.tell({ tenant: LIVE, revision: 0, subjects: ['session', session] });
    services.signOut('a');
    const after = resolve();
    open();
    expect([await asking, await after, await resolve()]).toEqual([ADA, 'unauthorized', 'unauthorized']);
  });
});

describe('an endpoint', () => {
  const serve = async (
    shape: RouteShape,
    {
      search = '',
      body,
      headers = {},
      key = 'publishable',
    }: {
      search?: string;
      body?: string;
      headers?: Record<string, string>;
      key?: 'publishable' | 'secret';
    } = {},
  ): Promise<Response> => {
    const route = routeOf(shape);
    const request = new Request(`http://localhost${route.path}?${search}`, {
      method: route.verb,
      headers: {
        Authorization: keyText(key),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    return new Pipeline(route, edge).serve(
      new Visit(request, 'r'),
      { path: route.path, search },
      {},
      () => '127.0.0.1',
    );
  };
  const asked = (): Ask => services.asks.findLast(({ rpc }) => rpc === 'Test/Echo')!;
  const signedIn = { 'x-auth-token': tokenOf('a') };
  beforeEach(() => {
    services.signIn('a', ADA);
    services.signIn('b', BOB);
  });

  test('is told the customer, the session and X-Session-Id', async () => {
    await serve({ session: 'when_named' }, { headers: { ...signedIn, 'X-Session-Id': 'browser-1' } });
    expect(asked().caller).toMatchObject({
      customer: ADA,
      customerSession: expect.any(String),
      keyType: 'publishable',
    });
    expect(asked().session).toBe('browser-1');
    await serve({ session: 'when_named', verb: 'POST' }, { headers: { 'X-Session-Id': 'browser-2' }, body: '{}' });
    expect([asked().caller.customer, asked().session]).toEqual([null, 'browser-2']);
  });

  test('of no session is told X-Session-Id where it is one, and no customer', async () => {
    await serve({ session: 'none' }, { headers: { ...signedIn, 'X-Session-Id': 'browser-1' } });
    expect([asked().caller.customer, asked().session]).toEqual([null, 'browser-1']);
    const odd = await serve({ session: 'none' }, { headers: { 'X-Session-Id': 'two words' } });
    expect([odd.status, asked().session]).toEqual([200, '']);
  });

  test.each(['GET', 'POST'] as const)('refuses an X-Session-Id that is none (%s)', async (verb) => {
    const reply = await serve({ session: 'when_named', verb }, { headers: { 'X-Session-Id': 'two words' } });
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { param: 'X-Session-Id' } }]);
  });

  test('is asked with the customer’s id as we write it, from query and body', async () => {
    const customer_id = ADA.toUpperCase();
    await serve({ session: 'when_named' }, { headers: signedIn, search: `customer_id=${customer_id}` });
    expect(JSON.parse(asked().input)).toEqual({ customer_id: ADA });
    await serve({ session: 'when_named', verb: 'POST' }, { headers: signedIn, body: JSON.stringify({ customer_id }) });
    expect(JSON.parse(asked().input)).toEqual({ customer_id: ADA });
  });

  test.each<[string, RouteShape, Parameters<typeof serve>[1], number]>([
    [
      'two headers are 400 before a rejected one is 401',
      { session: 'customer' },
      { headers: { 'x-auth-token': 'x', 'x-idp-token': 'y' } },
      400,
    ],
    [
      'a rejected session is 401 before another’s customer is 403',
      { session: 'customer' },
      { headers: { 'x-auth-token': 'x' }, search: `customer_id=${BOB}` },
      401,
    ],
    [
      'another’s customer is 403 before a bad parameter is 400',
      { session: 'customer' },
      { headers: signedIn, search: `customer_id=${BOB}&note=%ff` },
      403,
    ],
    [
      'one’s own customer, then a bad parameter',
      { session: 'customer' },
      { headers: signedIn, search: `customer_id=${ADA}&note=%ff` },
      400,
    ],
    [
      'no session is 401 before a body that is too large',
      { session: 'customer', verb: 'POST' },
      { body: `{"note":"${'x'.repeat(2_000)}"}` },
      401,
    ],
    [
      'a body that is too large is 413 before its customer',
      { session: 'when_named', verb: 'POST' },
      { body: `{"customer_id":"${ADA}","note":"${'x'.repeat(2_000)}"}` },
      413,
    ],
    [
      'a broken body is 400 before its customer is known',
      { session: 'when_named', verb: 'POST' },
      { body: `{"customer_id":"${ADA}",` },
      400,
    ],
    [
      'a customer in the body without a session is 401 before the rest of the body',
      { session: 'when_named', verb: 'POST' },
      { body: `{"customer_id":"${ADA}","note":7}` },
      401,
    ],
    [
      'another’s customer in the body is 403 before the rest of it',
      { session: 'when_named', verb: 'POST' },
      { headers: signedIn, body: `{"customer_id":"${BOB}","note":7}` },
      403,
    ],
    [
      'one’s own, then the rest of the body',
      { session: 'when_named', verb: 'POST' },
      { headers: signedIn, body: `{"customer_id":"${ADA}","note":7}` },
      400,
    ],
  ])('%s', async (_name, shape, options, status) => {
    expect((await serve(shape, options)).status).toBe(status);
  });

  test('that is personal is kept by nobody, says what picked the answer, and has a tag for each shopper', async () => {
    const shape = { session: 'when_named', cache: 'catalog' } as const;
    const replies = [
      await serve(shape, { headers: signedIn }),
      await serve(shape, { headers: { 'x-auth-token': tokenOf('b') } }),
      await serve(shape, { headers: { 'X-Session-Id': 'browser-1' } }),
      await serve(shape, { headers: { 'X-Session-Id': 'browser-2' } }),
      await serve(shape, { headers: signedIn, key: 'secret' }),
    ];
    for (const { headers } of replies) {
      expect([headers.get('cache-control'), headers.get('x-cache')]).toEqual(['private, no-store', 'MISS']);
      expect(headers.get('vary')).toBe('Authorization, X-Auth-Token, X-External-Auth, X-Idp-Token, X-Session-Id');
    }
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(replies.length);
    expect(edge.cache.size).toBe(0);
    expect((await serve({ session: 'none' })).headers.get('vary')).toBe('Authorization');
  });

  test('keeps the idempotency keys of two shoppers apart', async () => {
    const scope = async (headers: Record<string, string>) => {
      await serve(
        { session: 'when_named', verb: 'POST' },
        { headers: { ...headers, 'Idempotency-Key': 'k' }, body: '{}' },
      );
      return asked().idempotency!.scope;
    };
    const browser = { 'X-Session-Id': 'browser-1' };
    const scopes = [
      await scope({}),
      await scope(browser),
      await scope({ 'X-Session-Id': 'browser-2' }),
      await scope(signedIn),
      await scope({ 'x-auth-token': tokenOf('b') }),
    ];
    expect(new Set(scopes).size).toBe(scopes.length);
    expect(await scope({ ...signedIn, ...browser })).toBe(await scope(signedIn));
  });
});
