// Equal ids, keys and bodies of several tenants: two stores in two environments, and two merchants of one operator, at every
// endpoint that takes an Idempotency-Key or a name that its caller chooses. Each has its own effect and its own answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type Environment, NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { freshDatabase, freshNamespace, type TestDatabase } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { BODIES } from './body.ts';
import { copyOwner, fillSandbox, idsOf, UUID_PATTERN } from './copied_owner.ts';
import { type Owner, requireSuccess } from './owner.ts';
import { pathOf, SIMULATED } from './target.ts';
import { openOwner } from './world.ts';

const SESSION = 'the-same-session';
const CODE = 'SAME';

/** Bodies of endpoints that know a shopper, by the session that all of them name or by the token of one whom all of them have. */
const SHOPPER_BODIES: Readonly<Record<string, (owner: Owner) => unknown>> = {
  'POST /v1/cart/items': ({ records }) => ({ variant_id: records.variant, quantity: 1 }),
  'POST /v1/cart/promotions': () => ({ code: CODE }),
  'POST /v1/cart/merge': ({ records }) => ({ customer_id: records.customer }),
  'POST /v1/cart/gift-cards': () => ({ code: card }),
  'PATCH /v1/cart': () => ({ currency: 'usd' }),
  'PATCH /v1/cart/items/:item_id': () => ({ quantity: 3 }),
  'POST /v1/pricing/query': ({ records }) => ({ items: [{ variant_id: records.variant, quantity: 1 }] }),
  'POST /v1/tax/preview': ({ records }) => ({
    items: [{ variant_id: records.variant, quantity: 1 }],
    address: { country: 'KE' },
  }),
  'POST /v1/wishlist/items': ({ records }) => ({ customer_id: records.customer, variant_id: records.variant }),
  'PATCH /v1/customers/:id': () => ({ first_name: 'Ada' }),
  'POST /v1/messaging/threads': ({ records }) => ({ customer_id: records.customer, subject: 'Once', body: 'Once' }),
  'POST /v1/messaging/threads/:id/messages': () => ({ body: 'Once' }),
  'POST /v1/messaging/threads/:id/read': () => ({}),
  'POST /v1/orders/:id/returns': () => ({ reason_code: 'other', reason_detail: 'Once' }),
  'POST /v1/disputes': ({ records }) => ({
    order_id: records.order,
    reason_code: 'other',
    description: 'Nothing came of it.',
  }),
  'POST /v1/reviews': ({ records }) => ({ product_id: records.product, rating: 5, title: 'Once', body: 'Once' }),
  'POST /v1/b2b/purchase-orders': ({ records }) => ({
    quote_id: records.wholesaleQuote,
    po_number: 'Once',
    shipping_address: { line1: '1', city: 'Nairobi', country: 'KE' },
  }),
  'POST /v1/b2b/rfqs': ({ records }) => ({ items: [{ variant_id: records.variant, quantity: 1 }] }),
};

/** Endpoints that are not sent here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /v1/payments/verify': 'a payment’s reference is drawn by the house, and no two tenants have the same',
  'POST /v1/sandbox/payments/:reference': 'the same',
  'POST /v1/payments/:reference/capture': 'the same',
  'POST /v1/payments/:reference/void': 'the same',
  'POST /v1/sandbox/webhooks/replay': 'an event’s id is drawn by the house, and its log is no table of the store',
  'POST /v1/webhook-events/:id/retry': 'the same',
  'PATCH /v1/keys/:id': 'a key’s id is drawn by the house, and no two tenants have the same',
  'POST /v1/keys/:id/roll': 'the same',
  'DELETE /v1/keys/:id': 'the same',
  'PATCH /v1/staff/:id': 'an account’s id is drawn by the house, and no two stores have the same',
  'DELETE /v1/staff/:id': 'the same',
  'DELETE /v1/staff/invitations/:id': 'the same',
  'POST /v1/products/:id/back-in-stock': 'it takes no key, because an equal request changes nothing',
  'DELETE /v1/wishlist/items/:item_id': 'an item’s id is drawn by the house, and is not in any record here',
};

/** Statuses that all tenants get alike, because an earlier request has ended the resource. */
const REFUSED: Readonly<Record<string, number>> = {
  'POST /v1/b2b/invoices/:id/void': 409,
  'POST /v1/b2b/purchase-orders': 409,
  'POST /v1/b2b/purchase-orders/:id/cancel': 409,
  'POST /v1/b2b/quotes/:id/accept': 409,
  'POST /v1/b2b/quotes/:id/reject': 409,
  'POST /v1/b2b/rfqs/:id/cancel': 409,
  'POST /v1/disputes': 404,
  'POST /v1/disputes/:id/cancel': 409,
  'POST /v1/orders/:id/returns': 404,
  'POST /v1/returns/:id/accept-credit': 409,
  'POST /v1/returns/:id/cancel': 409,
};

interface Caller {
  readonly owner: Owner;
  readonly environment: Environment;
  /** An operator's key, where that acts for the owner's store. */
  readonly operatorKey: string | null;
}

let database: TestDatabase;
const namespace = freshNamespace();
let stoa: Stoa;
let source: Owner;
/** Session of the shopper of the orders and quotes. */
let buyerToken: string;
/** The code of a gift card. */
let card: string;
let common: ReadonlySet<string>;
/** The line of each tenant's cart, by its key. */
const lines = new Map<string, string>();
/** Two who are asked at once, and two who are asked one after the other. */
let pairs: readonly (readonly Owner[])[];
let malls: readonly { readonly operator_key: string; readonly operator_test_key: string }[];

beforeAll(async () => {
  database = await freshDatabase();
  stoa = await startStoa({ databaseUrl: database.url, namespace });
  const owner = await openOwner(stoa, 'blackbird');
  source = { ...owner, records: { ...owner.records, sandboxCheckout: owner.records.checkout } };
  const make = (path: string, body: unknown) =>
    requireSuccess(sendTo(stoa.url, 'POST', path, { key: source.keys.secret_key, body }));
  await make('/v1/promotions', { name: CODE, code: CODE, type: 'percentage', value: 1, stackable: true });
  card = (await make('/v1/gift-cards', { amount: 5 })).gift_card.code;
  const buyer = { email: `shopper-${source.keys.code}@example.com`, password: 'correct horse battery' };
  buyerToken = (await make('/v1/auth/login', buyer)).session.access_token;
  const operator = await fillSandbox(stoa, source);
  const twins: Owner[] = [];
  for (let count = 0; count < 4; count++) twins.push(await copyOwner(stoa, source, operator));
  pairs = [twins.slice(0, 2), twins.slice(2)];
  malls = await Promise.all(
    pairs.map(async (pair) =>
      ok(
        await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
          name: 'Mall',
          stores: pair.map(({ keys }) => keys.store_id),
        }),
      ),
    ),
  );
  common = await idsOf(stoa, source);
  // Memory misses rows that no endpoint wrote.
  await restart();
});
const restart = async (): Promise<void> => {
  await stoa.stop();
  stoa = await startStoa({ databaseUrl: database.url, namespace });
};
afterAll(async () => {
  await stoa?.stop();
  await database?.drop();
});

const ENDING = 5;
/** Order of the calls: those that end or delete something come last. */
function turnOf(name: string): number {
  if (name.endsWith('/sandbox/reset')) return 7;
  if (name.startsWith('DELETE /v1/cart')) return 3.5;
  if (name.endsWith('/merge')) return 4;
  if (name.startsWith('DELETE ')) return ENDING;
  if (/\/(cancel|void|reject)$/.test(name)) return 4;
  if (/\/(fulfill|accept-credit|pay)$/.test(name)) return 3;
  if (/^(PATCH|PUT) |\/confirm$/.test(name)) return 2;
  return name === 'POST /v1/cart/items' ? 0 : 1;
}

const WRITES = routes
  .filter(
    ({ verb, path, access }) =>
      verb !== 'GET' && !path.startsWith('/v1/auth/') && access.key !== 'none' && access.key !== 'staff',
  )
  .map((route) => [`${route.verb} ${route.path}`, route] as const)
  .filter(([name]) => !(name in ELSEWHERE))
  .toSorted(([a], [b]) => turnOf(a) - turnOf(b) || b.length - a.length);

const environmentsOf = ({ access, rpc }: Route): readonly Environment[] => {
  if (access.key === 'secret_test' || SIMULATED.includes(rpc)) return ['sandbox'];
  // Both environments share a store's settings.
  const isLive = access.live_only || rpc === 'Store/UpdateStore';
  return isLive ? ['production'] : ['production', 'sandbox'];
};

const callersOf = (
  route: Route,
  pair: readonly Owner[],
  marketplace: (typeof malls)[number] | null,
): readonly Caller[] =>
  environmentsOf(route).flatMap((environment) =>
    pair.map((owner) => ({
      owner,
      environment,
      operatorKey:
        marketplace && (environment === 'production' ? marketplace.operator_key : marketplace.operator_test_key),
    })),
  );

const keyOf = ({ access }: Route, { owner, environment, operatorKey }: Caller): string => {
  const live = environment === 'production';
  if (operatorKey !== null) return operatorKey;
  if (access.key === 'operator') return live ? owner.operatorKey : owner.operatorTestKey;
  return live ? owner.keys.secret_key : owner.keys.secret_test_key;
};

interface Request {
  readonly name: string;
  readonly route: Route;
  readonly key: string;
}

const send = ({ name, route, key: idempotencyKey }: Request, caller: Caller): Promise<Reply> => {
  const { owner, environment, operatorKey } = caller;
  const body = name in SHOPPER_BODIES ? SHOPPER_BODIES[name]!(source) : BODIES[name]?.(source)[0];
  const { hmac_secret, hmac_test_secret } = owner.keys;
  const signWith = environment === 'production' ? hmac_secret : hmac_test_secret;
  const query = operatorKey === null ? '' : `?store_id=${owner.keys.store_id}`;
  const isCart = route.path.startsWith('/v1/cart/') || route.path === '/v1/cart';
  const key = keyOf(route, caller);
  const path = pathOf(route, source);
  const own = isCart ? cartPath(route, `${key}${query}`, path) : path;
  return sendTo(stoa.url, route.verb, `${own}${query}`, {
    key,
    ...(route.access.signed ? { signWith } : {}),
    ...(body === undefined ? {} : { body }),
    headers: {
      'Idempotency-Key': idempotencyKey,
      ...(isCart && route.access.key !== 'operator' ? { 'X-Session-Id': SESSION } : {}),
      ...(route.access.session === 'customer' || name.endsWith('/merge') ? { 'X-Auth-Token': tokenOf(route) } : {}),
    },
  });
};

const tokenOf = ({ path }: Route): string =>
  /^\/v1\/(b2b|disputes|orders|returns)/.test(path) ? buyerToken : source.customerToken;

const cartPath = ({ path }: Route, tenant: string, otherwise: string): string => {
  if (path.endsWith(':item_id')) return path.replace(':item_id', lines.get(tenant) ?? 'none');
  if (path.endsWith('gift-cards/:code')) return path.replace(':code', card);
  return path.endsWith(':code') ? path.replace(':code', CODE) : otherwise;
};

/** Ids that an answer holds and the twins do not have in common. */
const drawnIn = (text: string): readonly string[] =>
  [...new Set(text.match(UUID_PATTERN) ?? [])].filter((id) => !common.has(id));

const sent: { readonly request: Request; readonly caller: Caller; readonly first: Reply }[] = [];

const ask = async (request: Request, callers: readonly Caller[], atOnce: boolean): Promise<void> => {
  const replies: Reply[] = [];
  if (atOnce) replies.push(...(await Promise.all(callers.map((caller) => send(request, caller)))));
  else for (const caller of callers) replies.push(await send(request, caller));
  const shown = replies.map(({ status, text }) => `${status} ${text.slice(0, 300)}`).join('\n');
  for (const reply of replies)
    expect([reply.status, reply.headers.get('idempotent-replayed')], shown).toEqual([
      REFUSED[request.name] ?? request.route.status,
      null,
    ]);
  const seen = new Set<string>();
  for (const { text } of request.route.status === 201 ? replies : []) {
    const drawn = drawnIn(text);
    expect(
      drawn.filter((id) => seen.has(id)),
      shown,
    ).toEqual([]);
    for (const id of drawn) seen.add(id);
  }
  for (const [at, caller] of callers.entries()) {
    const first = replies[at]!;
    if (first.status < 300) sent.push({ request, caller, first });
    if (request.name !== 'POST /v1/cart/items') continue;
    const query = caller.operatorKey === null ? '' : `?store_id=${caller.owner.keys.store_id}`;
    lines.set(`${keyOf(request.route, caller)}${query}`, first.body.cart.items[0].id);
  }
};

test('the lists name endpoints that exist', () => {
  const names = new Set(routes.map(({ verb, path }) => `${verb} ${path}`));
  const listed = [ELSEWHERE, REFUSED, SHOPPER_BODIES].flatMap((list) => Object.keys(list));
  expect(listed.filter((name) => !names.has(name))).toEqual([]);
});

const isRepeated = async ({ request, caller, first }: (typeof sent)[number]): Promise<void> => {
  const retry = await send(request, caller);
  const shown = `${request.name}: ${retry.text}`;
  expect([retry.status, retry.headers.get('idempotent-replayed')], shown).toEqual([first.status, 'true']);
  expect(retry.body).toEqual({ ...first.body, idempotent: true });
};

/** Sends to all of the first pair at once, to the second pair one after the other, then repeats each. */
const askAll = async (name: string, route: Route, key: string, forMerchants: boolean): Promise<void> => {
  const before = sent.length;
  for (const [at, pair] of pairs.entries())
    await ask({ name, route, key }, callersOf(route, pair, forMerchants ? malls[at]! : null), at === 0);
  for (const each of sent.slice(before)) await isRepeated(each);
};

/** A shopper's session is one store's, so that an operator's key is tried where none is needed. */
const FOR_MERCHANTS = WRITES.filter(([name, { access }]) => {
  const needsSession = access.session === 'customer' || access.session === 'or_store' || name.endsWith('/merge');
  // A review that waits to be moderated is shown to its store alone.
  return access.merchant && !needsSession && !name.startsWith('POST /v1/reviews/');
});

describe.each(FOR_MERCHANTS)('%s under an operator’s key', (name, route) => {
  test('acts and answers for each merchant on its own under an operator’s key', () =>
    askAll(name, route, 'the same key of an operator', true));
});

describe.each(WRITES.filter(([name]) => turnOf(name) < ENDING))('%s', (name, route) => {
  test('acts and answers for each tenant on its own under an operator’s key', () =>
    askAll(name, route, 'the same key', false));
});

test('a restart leaves each tenant its own answers', async () => {
  await restart();
  for (const each of sent) await isRepeated(each);
});

describe.each(WRITES.filter(([name]) => turnOf(name) >= ENDING))('%s', (name, route) => {
  test('acts and answers for each tenant on its own', () => askAll(name, route, 'the same key', false));
});
