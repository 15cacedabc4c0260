// The audit log over every write that a store itself makes: who, what and which record, once for a retry.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AUDITED } from '#proto/gen/auditing.ts';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { hashKey } from '#services/store/secret.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { BODIES } from './body.ts';
import type { Owner } from './owner.ts';
import { pathOf, secretOf } from './target.ts';
import { openOwner } from './world.ts';

/** Writes that are not recorded, by service, and why. */
const UNRECORDED: Readonly<Record<string, string>> = {
  Agent: 'drafts and intents of shoppers, which an assistant makes for them',
  Auth: 'sign-in of shoppers',
  Cart: 'carts of shoppers',
  Connect: 'an app that exchanges its own tokens has no key of the store',
  Payment: 'callbacks of providers have no key',
  Recommendation: 'events of shoppers',
  StaffSession: 'a person who signs in has no session yet',
  Wishlist: 'wishlists of shoppers',
};
/** Writes of single shoppers in services whose other writes are recorded. */
const SHOPPERS_OWN = [
  'Account/UpdateCustomer',
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
  return { reply, path, body, key: secret.key, requestId };
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

/** Endpoints of the staff have a test of their own: their writes need a person. */
const ENDPOINTS = [...AUDITED]
  .filter(([rpc, { endpoint }]) => endpoint !== null && !/^Staff(Session)?\//.test(rpc))
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
    if (param !== null) expect(path).toContain(`/${found.resource.id}`);
    else if (reply.status === 201) expect(reply.text + JSON.stringify(body)).toContain(`"${found.resource.id}"`);
  });
});
