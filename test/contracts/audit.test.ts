// The audit log over every write that a store itself makes: who, what and which record, once for a retry.
import { randomUUID } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDITED } from '#proto/gen/auditing.ts';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { hashKey } from '#services/store/secret.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { isSecretName } from '#values/secret.ts';
import { BODIES, OWN_PROVIDER } from './body.ts';
import type { Owner } from './owner.ts';
import { pathOf, secretOf } from './target.ts';
import { openOwner } from './world.ts';

/** Writes that are not recorded, by service, and why. */
const UNRECORDED: Readonly<Record<string, string>> = {
  Auth: 'sign-in of shoppers',
  Connect: 'an app that exchanges its own tokens has no key of the store',
  MailSuppression: 'reports of mail providers have no key',
  Payment: 'callbacks of providers have no key',
  Recommendation: 'events of shoppers',
  StockAlert: 'alerts of shoppers',
  StaffSession:
    'the handlers record sign-ins, which have no session yet; a caller that requests a mailed link has no key',
  Wishlist: 'each call needs the shopper’s session',
};
/** Writes of single shoppers in services whose other writes are recorded. */
const SHOPPERS_OWN = [
  'Cart/MergeCart',
  'Dispute/CancelDispute',
  'Dispute/CreateDispute',
  'Return/AcceptCredit',
  'Return/CancelReturn',
  'Return/CreateReturn',
  'Review/CreateReview',
  'Review/VoteHelpful',
  'Wholesale/AcceptQuote',
  'Wholesale/CancelRfq',
  'Wholesale/CreatePurchaseOrder',
  'Wholesale/CreateRfq',
  'Wholesale/RejectQuote',
];

const routeOf = (rpc: string): Route => routes.find((route) => route.rpc === rpc)!;

let stoa: Stoa;
let shared: Owner;
beforeAll(async () => {
  stoa = await startStoa();
  shared = await openOwner(stoa, 'wren');
});
afterAll(() => stoa.stop());

test('every other write is a shopper’s or has no key', () => {
  const others = routes.filter(({ writes, rpc }) => writes && !AUDITED.has(rpc)).map(({ rpc }) => rpc);
  const unexplained = others.filter((rpc) => !SHOPPERS_OWN.includes(rpc) && !UNRECORDED[rpc.split('/')[0]!]);
  expect(unexplained).toEqual([]);
  expect(SHOPPERS_OWN.filter((rpc) => !others.includes(rpc))).toEqual([]);
});

const actorOf = async (key: string): Promise<object> => {
  const [found] = await stoa.services.runtime.postgres.sql<{ id: string; name: string; type: string }[]>`
    select id, name, type from store.api_key where hash = ${hashKey(key)}`;
  const { id, name, type } = found!;
  return { kind: type === 'operator' ? 'operator_key' : 'key', id, name };
};

interface Written {
  readonly reply: Reply;
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
  readonly requestId: string;
}

/** Shorter texts, such as a status, also occur elsewhere. */
const SECRET_LENGTH_MIN = 12;

const MORE_BODIES: typeof BODIES = {
  'POST /v1/messaging/threads': ({ records }) => [{ customer_id: records.customer, subject: 'S', body: 'Once' }, {}],
  'POST /v1/messaging/threads/:id/messages': () => [{ body: 'Once' }, {}],
};

const write = async (route: Route, owner: Owner, idempotencyKey: string): Promise<Written> => {
  const [body] = { ...BODIES, ...MORE_BODIES }[`${route.verb} ${route.path}`]?.(owner) ?? [undefined];
  const secret = secretOf(route, owner);
  const path = pathOf(route, owner);
  const requestId = randomUUID();
  const reply = await sendTo(stoa.url, route.verb, path, {
    ...secret,
    ...(body === undefined ? {} : { body }),
    headers: { 'Idempotency-Key': idempotencyKey, 'X-Request-Id': requestId },
  });
  return { reply, path, body, key: secret.key!, requestId };
};

/** Writes for the shared owner, or for a new one where the shared one's record is gone or done with. */
const written = async (route: Route): Promise<Written & { readonly again: Written }> => {
  for (const open of [() => shared, () => openOwner(stoa, 'wren')]) {
    const owner = await open();
    const idempotencyKey = randomUUID();
    const first = await write(route, owner, idempotencyKey);
    if (first.reply.status < 300) return { ...first, again: await write(route, owner, idempotencyKey) };
  }
  throw new Error(`${route.verb} ${route.path} succeeds for no owner.`);
};

const recordsOf = async (key: string, query = '') =>
  (await stoa.send('GET', `/v1/audit-log?limit=100${query}`, { key })).body.audit_log;

/** Returns the texts under names of secrets, however deep. */
const secretsIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (isSecretName(name) ? textsIn(inner) : secretsIn(inner)));
};

const textsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(textsIn)
    : typeof value === 'string' && value.length >= SECRET_LENGTH_MIN
      ? [value]
      : [];

/** The store's writes that need a person have tests beside their domains. */
const needsPerson = (rpc: string): boolean => /^Staff(Session)?\//.test(rpc) || routeOf(rpc).access.staff === true;
/** Writes to a cart depend on each other. */
const isCart = (rpc: string): boolean => rpc.startsWith('Cart/');

const ENDPOINTS = [...AUDITED]
  .filter(([rpc, { endpoint }]) => endpoint !== null && !needsPerson(rpc) && !isCart(rpc))
  .sort(([, a], [, b]) => {
    const ends = (endpoint: string | null) => (/^DELETE|reset/.test(endpoint!) ? 1 : 0);
    return ends(a.endpoint) - ends(b.endpoint);
  });

describe.each(ENDPOINTS)('%s', (rpc, { operation, endpoint, record, param }) => {
  test('leaves one record, with its actor and what it changed', async () => {
    const { reply, path, body, key, requestId, again } = await written(routeOf(rpc));
    expect(again.reply.headers.get('idempotent-replayed')).toBe('true');
    const records = await recordsOf(key);
    const own = records.filter((each: { request_id: string }) =>
      [requestId, again.requestId].includes(each.request_id),
    );
    expect(own).toHaveLength(1);
    const [found] = own;
    expect(found).toMatchObject({
      actor: await actorOf(key),
      operation,
      endpoint,
      resource: { type: record },
      address: '127.0.0.1',
      request_id: requestId,
      environment: key.includes('_test_') ? 'sandbox' : 'production',
    });
    const shown = JSON.stringify(found);
    for (const secret of [...secretsIn(body), ...secretsIn(reply.body[routeOf(rpc).envelope] ?? reply.body)].filter(
      (text) => text !== found.resource.id,
    ))
      expect(shown).not.toContain(secret);
    if (param !== null) expect(path).toContain(`/${found.resource.id}`);
    else if (reply.status === 201) expect(reply.text + JSON.stringify(body)).toContain(`"${found.resource.id}"`);
  });
});

test('each write to a cart leaves one record, with its actor and what it changed', async () => {
  const key = shared.keys.secret_key;
  const session = randomUUID();
  const requests: string[] = [];
  const writeCart = async (method: string, path: string, body?: object) => {
    const idempotencyKey = randomUUID();
    const send = async () => {
      const requestId = randomUUID();
      requests.push(requestId);
      const headers = { 'X-Session-Id': session, 'Idempotency-Key': idempotencyKey, 'X-Request-Id': requestId };
      const reply = await sendTo(stoa.url, method, path, { key, headers, ...(body && { body }) });
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply;
    };
    const reply = await send();
    expect((await send()).headers.get('idempotent-replayed')).toBe('true');
    return reply.body.cart;
  };
  const make = async (path: string, body: object) => (await stoa.send('POST', path, { key, body })).body;
  const promotion = { name: 'Cart', type: 'percentage', value: 5, code: `CART${session.slice(0, 8)}`.toUpperCase() };
  await make('/v1/promotions', promotion);
  const { gift_card } = await make('/v1/gift-cards', { amount: 1 });
  const { variant_id } = await make('/v1/products', { name: 'Cart', price: 4, stock: 9 });
  const { id, items } = await writeCart('POST', '/v1/cart/items', { variant_id, quantity: 1 });
  const item = `/v1/cart/items/${items[0].id}`;
  await writeCart('PATCH', item, { quantity: 2 });
  await writeCart('POST', '/v1/cart/promotions', { code: promotion.code });
  await writeCart('DELETE', `/v1/cart/promotions/${promotion.code}`);
  await writeCart('POST', '/v1/cart/gift-cards', { code: gift_card.code });
  await writeCart('DELETE', `/v1/cart/gift-cards/${gift_card.code}`);
  const { store } = (await stoa.send('GET', '/v1/store', { key })).body;
  await writeCart('PATCH', '/v1/cart', { currency: store.currency });
  await writeCart('DELETE', item);
  await writeCart('DELETE', '/v1/cart');
  const operations = [...AUDITED].filter(([rpc]) => isCart(rpc)).map(([, { operation }]) => operation);
  const found = await eventually(async () => {
    const own = await recordsOf(key, `&resource=cart:${id}`);
    expect(own).toHaveLength(operations.length);
    return own.reverse();
  });
  expect(found.map(({ operation }: { operation: string }) => operation).sort()).toEqual(operations.sort());
  expect(found.map((each: { request_id: string }) => each.request_id)).toEqual(
    requests.filter((_, at) => at % 2 === 0),
  );
  const actor = await actorOf(key);
  for (const each of found) expect(each).toMatchObject({ actor, address: '127.0.0.1', environment: 'production' });
  expect(found[0]).toMatchObject({ before: null, after: { items: [{ variant_id, quantity: 1 }] } });
  expect(found[1]).toMatchObject({
    before: { items: [{ variant_id, quantity: 1 }] },
    after: { items: [{ variant_id, quantity: 2 }] },
  });
  expect(found[2]).toMatchObject({ before: { promotions: 0 }, after: { promotions: 1 } });
  const shown = JSON.stringify(found);
  for (const code of [promotion.code, gift_card.code]) expect(shown).not.toContain(code);
});

/** Names of the fields of a schema that hold secrets. */
const secretFields = (schema: TSchema): string[] => {
  const parts: TSchema[] = [schema.items, ...(schema.anyOf ?? []), ...(schema.allOf ?? [])].filter(Boolean);
  const own = Object.entries<TSchema>(schema.properties ?? {});
  return [
    ...own.flatMap(([name, inner]) => (isSecretName(name) ? [name] : secretFields(inner))),
    ...parts.flatMap(secretFields),
  ];
};

interface Marked {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly marks?: readonly string[];
}

/** Requests with a marked secret in every field that takes one. */
const MARKED: Readonly<Record<string, (owner: Owner, mark: string) => Promise<Marked>>> = {
  'Checkout/PlaceCheckout': async ({ records, keys, customerToken }) => ({
    body: {
      lines: [{ store_id: keys.store_id, variant_id: records.variant, quantity: 1 }],
      email: 'ada@example.com',
      shipping_address: { line1: '1', city: 'Nairobi', country: 'KE' },
    },
    headers: { 'X-Customer-Token': customerToken },
    marks: [customerToken],
  }),
  'CheckoutPayment/ConnectProvider': async (_, mark) => ({
    body: {
      provider: 'card_checkout',
      credentials: { secret_key: `sk_live_${mark}`, webhook_secret: `whsec_${mark}` },
    },
  }),
  'Order/CreateOrder': async ({ keys, records }) => {
    const card = await stoa.send('POST', '/v1/gift-cards', { key: keys.secret_key, body: { amount: 1 } });
    const { code } = card.body.gift_card;
    const items = [{ variant_id: records.variant, quantity: 1 }];
    return { body: { items, email: 'ada@example.com', gift_card_codes: [code] }, marks: [code] };
  },
  'Payment/ConnectPaymentProvider': async (_, mark) => ({
    body: { ...OWN_PROVIDER, provider: 'marked', custom_provider: true, signing_secret: mark },
  }),
  'Promotion/CreatePromotion': async (_, mark) => ({ body: { name: 'S', type: 'percentage', value: 1, code: mark } }),
  'Promotion/UpdatePromotion': async (_, mark) => ({ body: { code: mark } }),
  'ShippingProvider/CreateProvider': async (_, mark) => ({
    body: { kind: 'carrier_account', name: 'Carrier', api_key: mark },
  }),
};

test('no record holds a secret that a request brings', async () => {
  const receivers = [...AUDITED.keys()].filter(
    (rpc) =>
      rpc.includes('/') && !/Admin\/|^Staff/.test(rpc) && !isCart(rpc) && secretFields(routeOf(rpc).request).length > 0,
  );
  expect(receivers.sort()).toEqual(Object.keys(MARKED).sort());
  const owner = await openOwner(stoa, 'wren');
  const marks: string[] = [];
  for (const rpc of receivers) {
    const route = routeOf(rpc);
    const mark = randomUUID().replaceAll('-', '').toUpperCase();
    const { body, headers = {}, marks: more = [mark] } = await MARKED[rpc]!(owner, mark);
    const reply = await sendTo(stoa.url, route.verb, pathOf(route, owner), {
      ...secretOf(route, owner),
      body,
      headers,
    });
    expect(reply.status, `${rpc} ${reply.text}`).toBe(route.status);
    marks.push(...more);
  }
  const rows = await stoa.services.runtime.postgres.sql<{ whole: string }[]>`
    select to_jsonb(audit)::text as whole from runtime.audit`;
  const whole = rows.map((row) => row.whole).join('\n');
  for (const mark of marks) expect(whole).not.toContain(mark);
});
