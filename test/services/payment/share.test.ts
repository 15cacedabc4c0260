// Refunds started by an operator's provider: they refund the share of each merchant, and a failed refund is reversed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type Marketplace, openMarketplace } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import type { Provider, Report } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';

const PRICE = 26.6;

let stoa: Stoa;
let provider: Provider;
beforeAll(async () => {
  provider = await startStripe(() => Date.now());
  process.env[provider.variable] = provider.standIn.url;
  stoa = await startStoa();
});
afterAll(async () => {
  await stoa.stop();
  await provider.standIn.stop();
});

const paid = async (): Promise<{ marketplace: Marketplace; session: string }> => {
  const marketplace = await openMarketplace(stoa, { price: PRICE, store: { currency: 'USD' } });
  expect((await marketplace.send('POST', '/v1/marketplace/payment-providers', provider.connection)).status).toBe(201);
  const { checkout } = (await marketplace.checkout()).body;
  const started = await marketplace.send('POST', `/v1/cart/checkout/${checkout.group_id}/pay`, {
    provider: provider.name,
  });
  expect(started.status, started.text).toBe(200);
  const session: string = started.body.session_id;
  provider.pay(session);
  await report(marketplace, provider.report(session));
  return { marketplace, session };
};
const report = async ({ operator }: Marketplace, { headers, body }: Report): Promise<void> => {
  const path = `/v1/payments/callbacks/${provider.name}/${operator.operator_id}/sandbox`;
  expect((await stoa.send('POST', path, { body, headers })).status).toBe(200);
};
const ordersOf = async ({ members }: Marketplace) =>
  (await Promise.all(members.map((member) => member.orders()))).flatMap((orders) =>
    orders.map(({ payment_status, amount_refunded }) => [payment_status, amount_refunded]),
  );
const paymentsOf = async ({ members }: Marketplace) =>
  (await Promise.all(members.map(({ send }) => send('GET', '/v1/payments')))).flatMap(({ body }) =>
    body.payments.map((each: Record<string, unknown>) => [each.status, each.amount_refunded, each.needs_review]),
  );

test('restores every order when a provider’s refund of the checkout, reported ten times at once, fails', async () => {
  const { marketplace, session } = await paid();
  const each = <T>(what: T): T[] => marketplace.members.map(() => what);
  const own = provider.reportRefund(session, provider.amountOf(session), true);
  await Promise.all(Array.from({ length: 10 }, () => report(marketplace, own)));
  expect(await paymentsOf(marketplace)).toEqual(each(['refunded', PRICE, false]));
  expect(await ordersOf(marketplace)).toEqual(each(['refunded', PRICE]));

  const failure = own.body.replace(/"succeeded"/g, '"failed"');
  provider.standIn.twist = () => failure;
  const failed = provider.reportRefund(session, provider.amountOf(session), true);
  provider.standIn.twist = (said) => said;
  for (const _time of [1, 2]) await report(marketplace, failed);
  expect(await paymentsOf(marketplace)).toEqual(each(['succeeded', 0, false]));
  expect(await ordersOf(marketplace)).toEqual(each(['paid', 0]));
  for (const { store } of marketplace.members)
    expect(ok(await stoa.services.runtime.ask('LedgerAdmin/GetTrialBalance', NO_TENANT, { store })).balanced).toBe(
      true,
    );
});
