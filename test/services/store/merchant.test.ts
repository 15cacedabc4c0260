// Merchants of a marketplace over HTTP: listed by their operator, suspended, and back.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Marketplace,
  openMarketplace,
  openMember,
  openOperator,
  refusalFields,
} from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const PATH = '/v1/marketplace/merchants';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const read = async ({ operator }: Marketplace, query = '') =>
  (await stoa.send('GET', `${PATH}${query}`, { key: operator.operator_key })).body;
const suspend = ({ operator }: Marketplace, store: string, suspended: unknown, key = operator.operator_key) =>
  stoa.send('PATCH', `${PATH}/${store}`, { key, body: { suspended } });

describe('merchants', () => {
  test('appear with their profile and state, page by page', async () => {
    const market = await openMarketplace(stoa, { merchants: 3 });
    const [first, , last] = market.members.map(({ keys }) => keys);
    await stoa.send('PATCH', '/v1/store', { key: first!.secret_key, body: { country: 'KE' } });
    const { body } = await stoa.send('GET', '/v1/store', { key: first!.secret_key });
    const { merchants } = await read(market);
    expect(merchants.find(({ store_id }: { store_id: string }) => store_id === first!.store_id)).toEqual({
      store_id: first!.store_id,
      name: body.store.name,
      code: first!.code,
      logo_url: null,
      website_url: null,
      currency: body.store.currency,
      country: 'KE',
      suspended: false,
      lapsed: false,
    });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await read(market, `?limit=2&fields=code${cursor}`);
      seen.push(...page.merchants.map(({ code }: { code: string }) => code));
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${page.pagination.next_cursor}`;
    }
    expect(seen).toEqual(market.members.map(({ keys }) => keys.code).sort());
    const one = await stoa.send('GET', `/v1/marketplace/merchants/${last!.store_id}?fields=name`, {
      key: market.operator.operator_key,
    });
    expect(one.body.merchant).toEqual({ name: expect.any(String) });
  });

  test('change by their operator’s live key alone', async () => {
    const market = await openMarketplace(stoa, { merchants: 1 });
    const [{ store, keys }] = market.members as [(typeof market.members)[0]];
    const outsider = await openMember(stoa);
    const other = await openOperator(stoa, [outsider.store]);
    expect(refusalFields(await suspend(market, store, true, other.operator_key))).toEqual([
      404,
      'not_found',
      undefined,
    ]);
    expect(refusalFields(await suspend(market, store, true, market.operator.operator_test_key))).toEqual([
      403,
      'forbidden',
      undefined,
    ]);
    expect((await suspend(market, store, true, keys.secret_key)).status).toBe(403);
    expect(refusalFields(await suspend(market, store, 'yes'))).toEqual([400, 'invalid_request', 'suspended']);
    expect((await read(market, `/${store}`)).merchant.suspended).toBe(false);
  });
});

describe('a suspended merchant', () => {
  test('leaves the marketplace and returns, and sells on by itself', async () => {
    const market = await openMarketplace(stoa);
    const [one, two] = market.members as [(typeof market.members)[0], (typeof market.members)[0]];
    const placed = await market.checkout();
    expect(placed.status, placed.text).toBe(201);
    const items = market.members.map(({ store }) => ({ merchant_store_id: store }));
    const section = { name: 'All', placement_kind: 'merchant', items };
    expect((await market.send('PUT', '/v1/marketplace/collections/all', section)).status).toBe(200);
    const shown = async (): Promise<string[]> =>
      (await market.send('GET', '/v1/marketplace/collections/all')).body.collection.items.map(
        (item: { merchant_store_id: string }) => item.merchant_store_id,
      );
    const products = async () => (await market.send('GET', `/v1/products?store_id=${one.store}`)).status;

    const { body } = await suspend(market, one.store, true);
    expect(body.merchant).toMatchObject({ store_id: one.store, suspended: true });
    await eventually(async () => {
      expect(await products()).toBe(404);
      expect(await shown()).toEqual([two.store]);
    });
    expect(refusalFields(await market.checkout())).toEqual([404, 'not_found', 'lines[0].store_id']);
    const group = await market.send('GET', `/v1/cart/checkout/${placed.body.checkout.group_id}`);
    expect(group.body.checkout.orders).toHaveLength(2);
    expect((await one.send('GET', '/v1/products')).body.products).toHaveLength(1);
    const again = await stoa.services.runtime.ask(
      'StoreAdmin/SetMerchant',
      { store: '00000000-0000-0000-0000-000000000000', environment: 'production' },
      { operator: market.operator.operator_id, store: one.store, member: true },
    );
    expect(again).toMatchObject({ stores: [two.store] });

    await suspend(market, one.store, false);
    await eventually(async () => {
      expect(await products()).toBe(200);
      expect((await shown()).sort()).toEqual([one.store, two.store].sort());
    });
    expect((await market.checkout()).status).toBe(201);
  });

  test('leaves once when twenty callers suspend it', async () => {
    const market = await openMarketplace(stoa, { merchants: 1 });
    const [{ store }] = market.members as [(typeof market.members)[0]];
    const replies = await Promise.all(Array.from({ length: 20 }, () => suspend(market, store, true)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const { body } = await stoa.send('GET', `/v1/audit-log?resource=merchant:${store}&limit=100`, {
      key: market.operator.operator_key,
    });
    const changes = body.audit_log.filter(({ after }: { after: object }) => Object.keys(after ?? {}).length > 0);
    expect(changes.map(({ before, after }: { before: object; after: object }) => [before, after])).toEqual([
      [{ suspended: false }, { suspended: true }],
    ]);
  });
});
