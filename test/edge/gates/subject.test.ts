// Tests the session rules alone, and one endpoint of each rule behind all gates.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Edge } from '#edge/endpoint.ts';
import type { CustomerSessions, Shopper } from '#edge/gates/session.ts';
import { SubjectGate } from '#edge/gates/subject.ts';
import { Pipeline } from '#edge/pipeline.ts';
import { RequestContext } from '#edge/request_context.ts';
import type { Route } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { Ask } from '#runtime/link/frame.ts';
import {
  ADA,
  BOB,
  type Gates,
  keyText,
  openGates,
  type RouteShape,
  routeOf,
  type Services,
  tokenOf,
} from '#test/edge/gates/stand_in.ts';

let services: Services;
let edge: Edge;
let sessions: CustomerSessions;
let principals: Gates['principals'];

beforeEach(async () => {
  ({ services, edge, principals } = await openGates());
  ({ sessions } = edge);
});

const headersOf = (token?: string): Headers => new Headers(token === undefined ? {} : { 'x-auth-token': token });

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
    [
      'no customer with an impossible id',
      'customer',
      'publishable',
      { token: 'a', search: 'customer_id=7' },
      'forbidden',
    ],
    ['its own customer in the path', 'customer', 'publishable', { token: 'a', path: CUSTOMERS, id: ADA }, ADA],
    ['no other customer in the path', 'customer', 'publishable', { token: 'a', path: CUSTOMERS, id: BOB }, 'forbidden'],
    ['a session before it looks at the path', 'customer', 'publishable', { path: CUSTOMERS, id: BOB }, 'unauthorized'],
    ['nothing of ids in other paths', 'customer', 'publishable', { token: 'a', path: '/v1/returns/:id', id: BOB }, ADA],
    ['no session of an anonymous call', 'when_named', 'publishable', {}, 'none'],
    ['none where the name stands in a value', 'when_named', 'publishable', { search: 'note=customer_id' }, 'none'],
    [
      'a session of a caller who names a customer',
      'when_named',
      'publishable',
      { search: `customer_id=${ADA}` },
      'unauthorized',
    ],
    ['a session of a server that names one', 'when_named', 'secret', { search: `customer_id=${ADA}` }, 'unauthorized'],
    [
      'a session of a caller who names an empty one',
      'when_named',
      'publishable',
      { search: 'customer_id=' },
      'unauthorized',
    ],
    [
      'a session of a caller who names one badly',
      'when_named',
      'publishable',
      { search: 'customer_id=%ff' },
      'unauthorized',
    ],
    ['the very customer', 'when_named', 'publishable', { token: 'a', search: `customer_id=${BOB}` }, 'forbidden'],
    ['a good session even of an anonymous call', 'when_named', 'publishable', { token: 'z' }, 'unauthorized'],
    ['no session of a server', 'or_store', 'secret', {}, 'none'],
    ['a session of a server that sends an empty one', 'or_store', 'secret', { token: '' }, 'unauthorized'],
    ['no session of an anonymous call with an empty one', 'when_named', 'secret', { token: '' }, 'none'],
    ['none of a server that names a customer', 'or_store', 'secret', { search: `customer_id=${ADA}` }, 'none'],
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
    const gate = new SubjectGate(routeOf({ session, ...(path ? { path } : {}) }));
    const headers = headersOf(token && tokenOf(token));
    const shopper = await gate.enter(sessions, principals[key], headers, id ? { id } : {}, search);
    expect(shopper instanceof Refusal ? shopper.code : (shopper?.customer ?? 'none')).toBe(expected);
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
    const refusal = new SubjectGate(routeOf({ session })).checkInput(shopper, input);
    expect(refusal?.code ?? 'goes on').toBe(expected);
    if (!refusal && shopper && named !== undefined) expect(input.customer_id).toBe(ADA);
  });

  test('take a customer’s id from the path as we write it', () => {
    const input = { id: ADA.toUpperCase() };
    new SubjectGate(routeOf({ session: 'customer', path: CUSTOMERS })).checkInput(ada, input);
    expect(input.id).toBe(ADA);
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
    return new Pipeline(route, edge, () => '').serve(
      new RequestContext(request, 'r'),
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

  test('receives the customer, the session and X-Session-Id', async () => {
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

  test('receives a well-formed X-Session-Id and no customer without a session', async () => {
    await serve({ session: 'none' }, { headers: { ...signedIn, 'X-Session-Id': 'browser-1' } });
    expect([asked().caller.customer, asked().session]).toEqual([null, 'browser-1']);
    const odd = await serve({ session: 'none' }, { headers: { 'X-Session-Id': 'two words' } });
    expect([odd.status, asked().session]).toEqual([200, '']);
  });

  test.each(['GET', 'POST'] as const)('refuses an X-Session-Id that is none (%s)', async (verb) => {
    const reply = await serve({ session: 'when_named', verb }, { headers: { 'X-Session-Id': 'two words' } });
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { param: 'X-Session-Id' } }]);
  });

  test('receives the customer’s id in canonical spelling from query and body', async () => {
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

  test('bypasses the cache, varies by shopper and has an ETag per shopper', async () => {
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
      expect(headers.get('vary')).toBe(
        'Authorization, X-Auth-Token, X-External-Auth, X-Idp-Token, X-Session-Id, Accept-Encoding',
      );
    }
    expect(new Set(replies.map(({ headers }) => headers.get('etag'))).size).toBe(replies.length);
    expect(edge.cache.size).toBe(0);
    expect((await serve({ session: 'none' })).headers.get('vary')).toBe('Authorization, Accept-Encoding');
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
