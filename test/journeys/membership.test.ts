// A merchant leaves its operator while an order of it is in flight: no new order starts, and started ones end normally.
import { beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { lineOf, type Member, openMarketplace, refusalFields } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

// "merchants in and out (an order in flight is finished)"
test('an order placed before its merchant left is paid, sent and given back', async () => {
  const marketplace = await openMarketplace(stoa);
  const [leaving, staying] = marketplace.members as [Member, Member];
  const { checkout } = (await marketplace.checkout([lineOf(leaving, 2), lineOf(staying)])).body;
  const path = `/v1/cart/checkout/${checkout.group_id}`;
  const { reference } = (await marketplace.send('POST', `${path}/pay`, { provider: 'card_checkout' })).body;
  const out = { operator: marketplace.operator.operator_id, store: leaving.store, member: false };
  ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, out));

  await eventually(async () =>
    expect((await marketplace.send('GET', `/v1/products?store_id=${leaving.store}`)).status).toBe(404),
  );
  expect(refusalFields(await marketplace.checkout())).toEqual([404, 'not_found', 'lines[0].store_id']);

  const settled = await marketplace.send('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
  expect(settled.body, settled.text).toMatchObject({ status: 'succeeded', amount: 30 });
  expect((await marketplace.send('GET', path)).body.checkout).toMatchObject({ status: 'paid', amount_due: 0 });
  const [order] = await leaving.orders();
  expect(order).toMatchObject({ order_status: 'confirmed', payment_status: 'paid', amount_paid: 20 });

  const sent = await leaving.send('POST', `/v1/orders/${order!.id}/shipments`, {
    carrier: 'DHL',
    tracking_number: '1',
  });
  expect(sent.status, sent.text).toBe(201);
  const refunded = await leaving.send('POST', `/v1/orders/${order!.id}/refunds`, { amount: 20 });
  expect(refunded.status, refunded.text).toBe(201);
  await eventually(async () =>
    expect((await leaving.orders())[0]).toMatchObject({
      order_status: 'shipped',
      payment_status: 'refunded',
      refunds: [{ amount: 20, status: 'succeeded' }],
    }),
  );
  for (const { store } of marketplace.members)
    expect(ok(await stoa.services.runtime.ask('LedgerAdmin/GetTrialBalance', NO_TENANT, { store })).balanced).toBe(
      true,
    );

  // A merchant may return.
  ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, { ...out, member: true }));
  await eventually(async () => expect((await marketplace.checkout()).status).toBe(201));
});
