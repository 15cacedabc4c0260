// Recommendations for a marketplace: only its merchants' products, and events of the channel `marketplace`.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import {
  type Marketplace,
  type Member,
  openMarketplace,
  openMember,
  openOperator,
  refusalFields,
} from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

interface Recommendation {
  readonly product_id: string;
  readonly merchant_store_id: string;
}

const asked = (marketplace: Pick<Marketplace, 'send'>, body: object, query = '') =>
  marketplace.send('POST', `/v1/recommendations${query}`, body);
const recommended = async (marketplace: Pick<Marketplace, 'send'>, body: object): Promise<Recommendation[]> => {
  const { status, body: answer, text } = await asked(marketplace, body);
  expect(status, text).toBe(200);
  return answer.recommendations;
};
const merchantsIn = (list: readonly Recommendation[]) =>
  [...new Set(list.map(({ merchant_store_id: store }) => store))].sort();
const storesOf = (members: readonly Member[]) => members.map(({ store }) => store).sort();
const productsOf = async ({ send }: Member): Promise<string[]> =>
  (await send('GET', '/v1/products')).body.products.map(({ id }: { id: string }) => id);
const tell = async ({ send }: Member, body: object, headers = {}) => {
  const { status, text } = await send('POST', '/v1/events', { event_type: 'view', ...body }, headers);
  expect(status, text).toBe(200);
};

describe('recommendations for a marketplace', () => {
  test.each(['next_likely', 'trending'])(
    'of the intent %s are of all its merchants and of no other store',
    async (intent) => {
      const marketplace = await openMarketplace(stoa, { merchants: 3, variants: 2 });
      const outsider = await openMember(stoa, { variants: 2 });
      for (const product_id of await productsOf(outsider)) await tell(outsider, { product_id, session_id: 'one' });
      const list = await recommended(marketplace, { intent, session_id: 'one', limit: 50 });
      expect(list).toHaveLength(6);
      expect(merchantsIn(list)).toEqual(storesOf(marketplace.members));
      expect(await recommended(marketplace, { intent, limit: 4 })).toHaveLength(4);
    },
  );

  test('begin with companions of the product', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 2, variants: 3 });
    const [one] = marketplace.members as [Member];
    const [bag, tent] = (await productsOf(one)) as [string, string];
    for (let count = 0; count < 6; count++) {
      const session_id = randomUUID();
      for (const product_id of [bag, tent]) await tell(one, { product_id, session_id });
    }
    const { body } = await eventually(async () => {
      const reply = await asked(marketplace, { product_id: tent, limit: 50 });
      expect(reply.body.status).toBe('available');
      return reply;
    });
    expect(body.recommendations[0]).toMatchObject({
      product_id: bag,
      merchant_store_id: one.store,
      reason: 'viewed_together',
    });
    expect(merchantsIn(body.recommendations)).toEqual(storesOf(marketplace.members));
  });

  test('order similar products of all merchants by their similarity, not by merchant', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3, variants: 0 });
    const [one, two, three] = marketplace.members as [Member, Member, Member];
    const sell = async ({ send }: Member, name: string, brand: string): Promise<string> =>
      (await send('POST', '/v1/products', { name, brand, price: 10, stock: 1 })).body.id;
    const product_id = await sell(one, 'Copper kettle with a long spout', 'Acme');
    const alike = await sell(two, 'Copper kettle with a short spout', 'Acme');
    const related = await sell(three, 'Copper pan', 'Acme');
    const distant = await sell(one, 'Woollen blanket', 'Umoja');
    const list = await eventually(async () => {
      const shown = await recommended(marketplace, { intent: 'similar', product_id, limit: 2 });
      expect(shown).toHaveLength(2);
      return shown;
    });
    expect(list.map((each) => each.product_id).toSorted()).toEqual([alike, related].toSorted());
    expect(list.map((each) => each.product_id)).not.toContain(distant);
    expect(merchantsIn(list)).toEqual([two.store, three.store].toSorted());
    expect(list[0]).toMatchObject({ reason: 'similar', merchant_name: expect.any(String), product: { brand: 'Acme' } });
  });

  test('equal a merchant’s own answer with its `store_id`', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 2, variants: 2 });
    const [one] = marketplace.members as [Member];
    const own = (await one.send('POST', '/v1/recommendations', { intent: 'trending' })).body;
    expect((await asked(marketplace, { intent: 'trending' }, `?store_id=${one.store}`)).body).toEqual(own);
    const outsider = await openMember(stoa);
    const foreign = await asked(marketplace, { intent: 'trending' }, `?store_id=${outsider.store}`);
    expect(refusalFields(foreign)).toEqual([404, 'not_found', 'store_id']);
  });

  test('refuse products and customers of other stores', async () => {
    const marketplace = await openMarketplace(stoa);
    const outsider = await openMember(stoa);
    const [product_id] = await productsOf(outsider);
    expect(refusalFields(await asked(marketplace, { product_id }))).toEqual([404, 'not_found', 'product_id']);
    expect(refusalFields(await asked(marketplace, { customer_id: NOWHERE }))).toEqual([
      404,
      'not_found',
      'customer_id',
    ]);
    expect(refusalFields(await asked(marketplace, { intent: 'similar' }))).toEqual([
      400,
      'invalid_request',
      'product_id',
    ]);
  });

  test('leave out a merchant that has left or lapsed', async () => {
    const marketplace = await openMarketplace(stoa, { merchants: 3 });
    const [one, two, three] = marketplace.members as [Member, Member, Member];
    const { ask } = stoa.services.runtime;
    const leaving = { operator: marketplace.operator.operator_id, store: two.store, member: false };
    ok(await ask('StoreAdmin/SetMerchant', NO_TENANT, leaving));
    ok(await ask('StoreAdmin/SetLapsed', NO_TENANT, { store: three.store, lapsed: true }));
    await eventually(async () =>
      expect(merchantsIn(await recommended(marketplace, { intent: 'trending' }))).toEqual([one.store]),
    );
  });

  test('list nothing for an operator without merchants', async () => {
    const { operator_test_key: key } = await openOperator(stoa, []);
    const { status, body } = await stoa.send('POST', '/v1/recommendations', { key, body: {} });
    expect([status, body]).toEqual([200, { recommendations: [], status: 'awaiting_data' }]);
  });
});

test('an event of the channel `marketplace` counts for the store’s operators; without one it becomes `storefront`', async () => {
  const marketplace = await openMarketplace(stoa, { merchants: 1 });
  const members = [marketplace.members[0]!, await openMember(stoa)];
  const channels = async ({ store }: Member) => {
    const rows = await stoa.services.runtime.postgres.sql<{ channel: string }[]>`
      select channel from recommendation.interaction where store = ${store} order by channel`;
    return rows.map(({ channel }) => channel);
  };
  for (const member of members) {
    const [product_id] = await productsOf(member);
    await tell(member, { product_id, session_id: 'said', channel: 'marketplace' });
    await tell(member, { product_id, session_id: 'headed' }, { 'X-Svc-Channel': 'marketplace' });
    const wins = { product_id, session_id: 'body wins', channel: 'storefront' };
    await tell(member, wins, { 'X-Svc-Channel': 'marketplace' });
    await tell(member, { product_id, session_id: 'unsaid' });
  }
  const [sold, alone] = members as [Member, Member];
  await eventually(async () => {
    expect(await channels(sold)).toEqual(['marketplace', 'marketplace', 'storefront', 'storefront']);
    expect(await channels(alone)).toEqual(Array(4).fill('storefront'));
  });
});
