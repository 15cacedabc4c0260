// The demo's operator has a section, a checkout that is paid and one that waits, each over both shops, however often they are made.
import { beforeAll, expect, test } from 'vitest';
import type { CheckoutGroup } from '#proto/gen/checkout.ts';
import { seedCatalogue, seedStore } from '#services/cli/demo/catalogue.ts';
import { Client } from '#services/cli/demo/client.ts';
import { CHECKOUTS, seedMarketplace } from '#services/cli/demo/marketplace.ts';
import { DEMO_STORE, RETAIL_SHOP } from '#services/cli/demo/retail.ts';
import { TRADE_SHOP } from '#services/cli/demo/trade/shop.ts';
import { TRADE_STORE } from '#services/cli/demo/trade/store.ts';
import { openOperator } from '#test/support/marketplace.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

test('one is paid by one payment, one waits', async () => {
  const [retail, trade] = await Promise.all([DEMO_STORE, TRADE_STORE].map((given) => stoa.createStore({ ...given })));
  const pictures = `${stoa.url}/demo/pictures`;
  await seedStore(new Client(stoa.url, retail!.secret_key), RETAIL_SHOP, pictures);
  await seedStore(new Client(stoa.url, trade!.secret_key), TRADE_SHOP, pictures);
  await Promise.all([
    seedCatalogue(new Client(stoa.url, retail!.secret_test_key), RETAIL_SHOP, pictures),
    seedCatalogue(new Client(stoa.url, trade!.secret_test_key), TRADE_SHOP, pictures),
  ]);
  const stores = [retail!.store_id, trade!.store_id] as const;
  const { operator_test_key: operatorTestKey } = await openOperator(stoa, stores);
  const list = async (): Promise<CheckoutGroup[]> =>
    (await stoa.send('GET', '/v1/cart/checkout', { key: operatorTestKey })).body.checkouts;
  await seedMarketplace({ baseUrl: stoa.url, operatorTestKey, stores });
  const groups = await list();
  expect(groups.map(({ email, status, orders }) => [email, status, orders.length])).toEqual(
    CHECKOUTS.map(({ email, paid }) => [email, paid ? 'paid' : 'pending', 2]).reverse(),
  );
  expect(groups[0]!.amount_due).toBeGreaterThan(0);
  expect(groups[1]!.amount_due).toBe(0);
  await seedMarketplace({ baseUrl: stoa.url, operatorTestKey, stores });
  expect(await list()).toEqual(groups);
  const section = await stoa.send('GET', '/v1/marketplace/collections/from-both-shops', { key: operatorTestKey });
  expect(section.body.collection.items.map((item: { merchant_store_id: string }) => item.merchant_store_id)).toEqual([
    ...stores,
  ]);
});
