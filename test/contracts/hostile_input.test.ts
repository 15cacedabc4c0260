// Sends hostile requests to every endpoint: each gets a clear 4xx, stores nothing and reveals nothing of another tenant. No
// answer is a 5xx. STOA_FUZZ_SEED draws others, STOA_FUZZ_RUNS more of them: npm run hostile.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type Reply, type SendOptions, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { objectOf } from './hostile_value.ts';
import type { Owner } from './owner.ts';
import { openStoredRows, type StoredRows, type StoreRows } from './stored_row.ts';
import { pathOf, secretOf, startsJob } from './target.ts';
import { FOREIGN_WORD, hostedRoutes, openOwner, waitForJobs } from './world.ts';

const SEED = Number(process.env.STOA_FUZZ_SEED ?? 20_261_122);
/** Requests for each endpoint; `npm run hostile` sends 20 times as many. */
const RUNS = Number(process.env.STOA_FUZZ_RUNS ?? 3);
/** A deletion costs a new store with all that is in it, where another one is to follow. */
const DELETIONS = Math.ceil(RUNS / 3);

let stoa: Stoa;
let mine: Owner;
let theirs: Owner;
let ledger: StoredRows;
beforeAll(async () => {
  stoa = await startStoa({ allowLocal: true, trustedProxies: '127.0.0.1' });
  mine = await openOwner(stoa, 'blackbird');
  theirs = await openOwner(stoa, FOREIGN_WORD);
  ledger = await openStoredRows(stoa);
});

afterAll(() => stoa?.stop());

const held = (): Promise<readonly StoreRows[]> => ledger(mine.keys.store_id, theirs.keys.store_id);

const hosted = (): readonly Route[] => hostedRoutes(stoa);

let shoppers = 0;
/** Sends like a merchant's server: signed if required, with another shopper's address each time. */
const send = (route: Route, path: string, options: SendOptions = {}): Promise<Reply> => {
  const credential = route.access.key === 'none' ? {} : secretOf(route, mine);
  const address = `10.${(shoppers >> 16) & 255}.${(shoppers >> 8) & 255}.${shoppers++ & 255}`;
  return sendTo(stoa.url, route.verb, path, {
    ...credential,
    ...options,
    headers: { 'X-Shopper-IP': address, 'X-Forwarded-For': address, ...credential.headers, ...options.headers },
  });
};

const TRACES = /\n\s+at |\.ts:\d|node_modules|\/services\/|select .* from|insert into|PostgresError|postgres:\/\//i;
const ERROR_FIELDS = ['code', 'message', 'details', 'hint', 'param', 'remaining', 'reset', 'request_id'];

/** Rules of every answer to any request. */
const isDecent = (route: Route, path: string, { status, headers, body, text }: Reply): void => {
  const where = `${route.verb} ${path} → ${status} ${text.slice(0, 500)}`;
  expect(status, where).toBeLessThan(500);
  expect(headers.get('x-request-id'), where).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('x-content-type-options'), where).toBe('nosniff');
  expect(text.includes(FOREIGN_WORD), `${where} tells of another tenant`).toBe(false);
  for (const { keys } of [mine, theirs])
    for (const secret of [keys.secret_key, keys.secret_test_key, keys.hmac_secret, keys.hmac_test_secret])
      expect(text.includes(secret), `${where} tells a secret`).toBe(false);
  if (status < 400) {
    if (status !== 304) expect(headers.get('content-type'), where).toBe(route.produces);
    return;
  }
  expect(headers.get('content-type'), where).toBe('application/json');
  expect(headers.get('cache-control'), where).toBe('no-store');
  expect(headers.get('etag'), where).toBeNull();
  expect(text, where).not.toMatch(TRACES);
  if (route.oauth) {
    expect(Object.keys(body), where).toEqual(['error', 'error_description']);
    return;
  }
  expect(Object.keys(body), where).toEqual(['error']);
  expect(
    Object.keys(body.error).filter((name) => !ERROR_FIELDS.includes(name)),
    where,
  ).toEqual([]);
  expect(body.error.request_id, where).toBe(headers.get('x-request-id'));
};

/** Runs requests that must all be refused, and sees that none of them left a trace. */
const refusesAll = async (
  requests: readonly { route: Route; path: string; options?: SendOptions; statuses: readonly number[] }[],
): Promise<void> => {
  const before = await held();
  for (const { route, path, options, statuses } of requests) {
    const reply = await send(route, path, options);
    isDecent(route, path, reply);
    const where = `${route.verb} ${path} ${JSON.stringify(options?.body ?? null).slice(0, 200)} → ${reply.text}`;
    expect(statuses, where).toContain(reply.status);
    const { error } = reply.body;
    if (reply.status === 400) expect(route.oauth ? error : error.code, where).toBe('invalid_request');
  }
  expect(await held()).toEqual(before);
};

describe('every endpoint refuses', () => {
  const SEGMENTS = ['%00', 'a%00b', '..%2f..%2fetc', '%ff', '%zz', '%20', "'", '%22', '<b>', '-1', '{id}', 'é', '🙂'];

  test.each([...SEGMENTS, 'x'.repeat(3_000)])('the path segment %s', async (segment) => {
    const requests = hosted()
      .filter(({ path }) => path.includes(':'))
      .map((route) => ({
        route,
        path: pathOf(route, mine).replace(lastParameter(route, mine), segment),
        ...(route.verb === 'GET' || route.verb === 'DELETE' ? {} : { options: { body: {} } }),
        // Without a shopper's session no caller learns what a path means.
        statuses: route.access.session === 'customer' ? [401] : [400, 404],
      }));
    await refusesAll(requests);
  });

  test('unknown ids, and those of another tenant, with one and the same answer', async () => {
    const unknown: Owner = {
      ...theirs,
      records: Object.fromEntries(
        Object.keys(theirs.records).map((name) => [
          name,
          name === 'slug' ? 'unknown-00000000' : '00000000-0000-7000-8000-000000000000',
        ]),
      ) as never,
    };
    const [, before] = await held();
    // A provider's signature is checked before its content.
    const named = hosted()
      .filter(({ path, access }) => /:(?!type|kind|code|currency|item_id)/.test(path) && access.key !== 'none')
      // This endpoint creates a missing section.
      .filter(({ rpc }) => rpc !== 'Marketplace/PutSection');
    for (const route of named) {
      const body = VALID[`${route.verb} ${route.path}`] ?? (route.body ? {} : undefined);
      const [foreign, absent] = await Promise.all(
        [theirs, unknown].map((owner) => send(route, pathOf(route, owner), body === undefined ? {} : { body })),
      );
      const plain = ({ status, body: { error } }: Reply) => [
        status,
        { ...error, message: error.message.replace(/: [0-9a-f-]{36}/, ''), request_id: '' },
      ];
      expect(plain(foreign!), `${route.verb} ${route.path}`).toEqual(plain(absent!));
      // Without a shopper's session no caller learns what a path means.
      const expected = route.access.session === 'customer' ? 401 : 404;
      expect(foreign!.status, `${route.verb} ${route.path} ${foreign!.text}`).toBe(expected);
    }
    expect((await held())[1]).toEqual(before);
  });

  test('values of known query parameters that are none', async () => {
    const BAD: Readonly<Record<string, readonly string[]>> = {
      integer: ['', 'x', '1.5', '1e3', '0x10', '-1', '99999999999', 'NaN', '%00', '1&%NAME%=2'],
      number: ['', 'x', '1e3', 'NaN', 'Infinity', '-1', '999999999', '%00'],
      boolean: ['', '1', 'TRUE', 'yes', 'null', '%00'],
      text: ['%00', '%zz', '%ff', 'a&%NAME%=a'],
      texts: ['%00', '%zz', 'not-one', ',', 'a&%NAME%=a'],
    };
    const requests = hosted().flatMap((route) =>
      route.query.flatMap(({ name, type }) =>
        BAD[type]!.map((value) => ({
          route,
          path: `${pathOf(route, mine)}?${name}=${value.replace('%NAME%', name)}`,
          ...(route.verb === 'GET' || route.verb === 'DELETE' ? {} : { options: { body: {} } }),
          statuses: [400, 401],
        })),
      ),
    );
    expect(requests.length).toBeGreaterThan(100);
    await refusesAll(requests);
  });

  test.each(['nope', 'id,nope', ',', 'id,', '__proto__', 'constructor', 'id.x', '%00', '.', 'ID', 'x'.repeat(5_000)])(
    'the field %s, naming it',
    async (fields) => {
      const reads = hosted().filter((route) => route.fields !== null);
      expect(reads.length).toBeGreaterThan(10);
      for (const route of reads) {
        const reply = route.query.some(({ name }) => name === 'fields')
          ? await send(route, `${pathOf(route, mine)}?fields=${fields}`)
          : await send(route, pathOf(route, mine), { body: { fields } });
        isDecent(route, route.path, reply);
        if (reply.status === 401) continue;
        expect([reply.status, reply.body.error?.param], `${route.path} ${reply.text.slice(0, 200)}`).toEqual([
          400,
          'fields',
        ]);
      }
    },
  );

  test.each<[string, string | Uint8Array, number, Record<string, string>?]>([
    ['that is no JSON', '{"a":', 400],
    ['that is a list', '[]', 400],
    ['that is null', 'null', 400],
    ['that is a text', '"{}"', 400],
    ['that is a number', '7', 400],
    ['with a key twice', '{"name":"a","name":"b"}', 400],
    ['with a key twice in its depth', '{"x":{"y":[{"z":1,"\\u007a":2}]}}', 400],
    ['with NUL', '{"name":"\\u0000"}', 400],
    ['with NUL in a key', '{"a\\u0000":1}', 400],
    ['with a lone surrogate', '{"name":"\\udc00"}', 400],
    ['with a lone surrogate in a key', '{"\\ud800":1}', 400],
    ['with a number beyond a double', '{"x":1e999}', 400],
    ['nested too deep', `{"x":${'['.repeat(32)}${']'.repeat(32)}}`, 400],
    ['nested as deep as a stack', `${'['.repeat(400_000)}`, 400],
    ['with a byte-order mark', '\ufeff{}', 400],
    ['of invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ['that is compressed', Bun.gzipSync('{}'), 400, { 'Content-Encoding': 'gzip' }],
    ['of a form', 'a=b', 415, { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['of text', '{}', 415, { 'Content-Type': 'text/plain' }],
    ['of another charset', '{}', 415, { 'Content-Type': 'application/json; charset=utf-16' }],
    ['of no type', '{}', 415, { 'Content-Type': '' }],
  ])('a body %s', async (_name, body, status, headers = {}) => {
    const requests = hosted()
      // Some read other bodies than JSON as well, or judge a file by its content.
      .filter(({ body: read }) => read !== null && !read.raw.includes(headers['Content-Type'] ?? ''))
      .filter(({ body: read }) => status !== 415 || !read?.raw.includes('*/*'))
      .map((route) => ({ route, path: pathOf(route, mine), options: { body, headers }, statuses: [status, 401] }));
    expect(requests.length).toBeGreaterThan(15);
    // A missing session is refused before the body is read.
    for (const { route, statuses } of requests)
      if (route.access.session === 'none') statuses.splice(statuses.indexOf(401), 1);
    await refusesAll(requests);
  });

  test('a body beyond its limit', async () => {
    const small = hosted().filter((route) => route.body && route.body.bytes_max <= 1 << 20);
    const body = JSON.stringify({ name: 'x'.repeat(1 << 20) });
    await refusesAll(
      small.map((route) => ({ route, path: pathOf(route, mine), options: { body }, statuses: [413, 401] })),
    );
  });

  test.each(['', 'Bearer', 'Bearer svc_sk_live_nobody00', 'Basic c3ZjOg==', 'Bearer svc_sk_live_%00', 'null'])(
    'the credential "%s" before all else',
    async (authorization) => {
      const requests = hosted()
        .filter((route) => route.access.key !== 'none')
        .map((route) => ({
          route,
          path: `${pathOf(route, mine).replace(lastParameter(route, mine), '%00')}?limit=x&fields=nope`,
          options: { body: route.verb === 'GET' ? undefined : '{broken', headers: { Authorization: authorization } },
          statuses: [401],
        }));
      await refusesAll(requests);
    },
  );

  test.each(['k'.repeat(256), 'cl\u00e9', 'a\tb'])('the idempotency key "%s"', async (key) => {
    const writes = hosted().filter((route) => route.verb !== 'GET' && !['auth', 'reset'].includes(route.limit));
    for (const route of writes) {
      const body = VALID[`${route.verb} ${route.path}`] ?? {};
      const reply = await send(route, pathOf(route, mine), { body, headers: { 'Idempotency-Key': key } });
      if (reply.status === 401) continue;
      const named = route.oauth ? reply.body.error_description.split(' ')[0] : reply.body.error?.param;
      expect([reply.status, named], `${route.path} ${reply.text}`).toEqual([400, 'Idempotency-Key']);
    }
  });
});

/** The piece of the owner's path that stands for its last parameter; the whole of it where there is none. */
const lastParameter = (route: Route, owner: Owner): string | RegExp => {
  const at = route.path.split('/').findLastIndex((part) => part.startsWith(':'));
  return at < 0 ? /$^/ : pathOf(route, owner).split('/')[at]!;
};

/** Bodies that would do if the record were there, where an empty one would not. */
const VALID: Readonly<Record<string, unknown>> = {
  'PATCH /v1/marketplace/merchants/:store_id': { suspended: true },
  'PUT /v1/product-collections/:id/products': { product_ids: [] },
  'POST /v1/keys/:id/roll': { overlap_hours: 1 },
  'POST /v1/products/:id/back-in-stock': { email: 'ada@example.com' },
  'POST /v1/products/:id/variants': { price: 1 },
  'PUT /v1/exchange-rates/:currency': { rate: 0.92 },
  'PUT /v1/store/policies/:type': { title: 'T', body: 'B' },
  'PATCH /v1/gift-cards/:id': { status: 'disabled' },
  'POST /v1/orders/:id/refunds': { amount: 1 },
  'POST /v1/orders/:id/shipments': { carrier: 'Own', tracking_number: '1' },
  'PUT /v1/customers/:id/group': { group: 'gold' },
  'POST /v1/customers/:id/erase': { reason: 'Request' },
  'PATCH /v1/reviews/:id': { status: 'approved' },
  'POST /v1/orders/:id/returns': { reason_code: 'damaged' },
  'POST /v1/cart/checkout/:group_id/pay': { provider: 'card_checkout' },
  'PUT /v1/marketplace/collections/:slug': { name: 'N', placement_kind: 'merchant', items: [] },
  'PATCH /v1/messaging/threads/:id': { status: 'closed' },
  'POST /v1/messaging/threads/:id/messages': { body: 'B' },
  'POST /v1/b2b/invoices/:id/pay': { amount: 8 },
  'POST /v1/sandbox/payments/:reference': { outcome: 'succeed' },
};

const MAILS_STAFF = ['Staff/CreateInvitation', 'StaffSession/SendLink'];

describe('anything at all', () => {
  /** Deletions come last, those that take other records with them last of all. */
  const turn = ({ verb, path }: Route): number =>
    verb !== 'DELETE' ? 0 : /^\/v1\/(products|customers)\/:id$/.test(path) ? 2 : 1;
  const wild = routes
    .filter(({ access }) => access.key !== 'none' && access.key !== 'operator')
    .toSorted((one, other) => turn(one) - turn(other));

  test.each(wild.map((route) => [`${route.verb} ${route.path}`, route] as const))('at %s', async (_name, route) => {
    if (!hosted().includes(route)) return;
    const named = (text: string): string =>
      text
        .replaceAll('§theirs', JSON.stringify(theirs.records.product))
        .replace(/§(\w+)/g, (_whole, name: keyof Owner['records']) => JSON.stringify(mine.records[name]));
    const request = fc.record({
      body: route.body || route.verb === 'DELETE' ? objectOf(route.request) : fc.constant(undefined),
      segment: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent) },
        { weight: 1, arbitrary: fc.webFragments() },
      ),
      query: fc.array(
        fc.tuple(
          fc.constantFrom(...(route.query.length > 0 ? route.query.map(({ name }) => name) : ['limit'])),
          fc.oneof(
            fc.constantFrom('1', '100', 'true', 'newest', 'name', '0.01', theirs.records.category, 'id', 'mode'),
            fc.string({ unit: 'binary', maxLength: 30 }).map(encodeURIComponent),
            fc.webQueryParameters(),
          ),
        ),
        { maxLength: 3 },
      ),
      headers: fc.dictionary(
        fc.constantFrom('If-None-Match', 'X-Request-Id', 'Idempotency-Key', 'X-Session-Id', 'Accept', 'traceparent'),
        fc.stringMatching(/^[\x20-\x7e]{0,60}$/),
        { maxKeys: 2 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ body, segment, query, headers }) => {
        const plain = pathOf(route, mine);
        const path = segment ? plain.replace(lastParameter(route, mine), segment.replaceAll('#', '')) : plain;
        const search = query
          .map(([name, value]) => `${name}=${value}`)
          .join('&')
          .replaceAll('#', '');
        const [ours, others] = await held();
        const other = secretOf(route, mine).key === mine.keys.secret_test_key ? 'production' : 'sandbox';
        const reply = await send(route, `${path}?${search}`, {
          ...(body === undefined ? {} : { body: named(body) }),
          headers,
        });
        isDecent(route, `${path}?${search} ${named(body ?? '').slice(0, 2_000)}`, reply);
        const [oursAfter, othersAfter] = await held();
        expect(othersAfter, 'another tenant was written to').toEqual(others);
        // On this machine the sandbox's outbox shows mail to the staff of both environments.
        if (!MAILS_STAFF.includes(route.rpc))
          expect(oursAfter![other], 'the other environment was written to').toBe(ours![other]);
        if (reply.status >= 400) expect(oursAfter, `a refusal left a trace: ${reply.text}`).toEqual(ours);
        else if (startsJob(route)) await waitForJobs(stoa, mine.keys);
        if (route.verb === 'DELETE' && reply.status === 200 && DELETIONS > 1) mine = await openOwner(stoa, 'blackbird');
      }),
      { seed: SEED, numRuns: route.verb === 'DELETE' ? DELETIONS : RUNS, endOnFailure: true },
    );
  });
});
