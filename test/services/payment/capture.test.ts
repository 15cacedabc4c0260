// Captures and voids at stand-ins of Stripe and PayPal: each takes effect once, and an answer that is lost loses nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { startPaypal } from './provider/paypal.ts';
import type { Provider } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';
import { heldBy, openTill, PRICE, type Till } from './till.ts';

const CALLERS = 20;

let shop: PaymentSystem;
const providers = new Map<string, Provider>();
beforeAll(async () => {
  const started = [await startStripe(() => shop.clock.real()), await startPaypal()];
  for (const provider of started) {
    process.env[provider.variable] = provider.standIn.url;
    providers.set(provider.name, provider);
  }
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  shop = await startPaymentSystem();
});
afterAll(async () => {
  await shop.close();
  for (const { standIn } of providers.values()) await standIn.stop();
});

describe.each(['card_checkout', 'wallet'])('%s', (name) => {
  let till: Till;
  const provider = (): Provider => providers.get(name)!;
  const captured = (): number[] => [...provider().authorizations!.captured];
  beforeAll(async () => {
    till = await openTill(shop, provider());
  });
  const end = (reference: string, step: 'capture' | 'void', body: object = {}): Promise<Reply> =>
    till.write('POST', `/v1/payments/${reference}/${step}`, body);
  const poll = (reference: string): Promise<unknown> =>
    shop.stoa.services.runtime.postgres.sql`
      update payment.payment set next_poll_at = now() - interval '1 hour' where reference = ${reference}`;

  test('captures a part at the provider once, and settles it', async () => {
    const { order, reference } = await till.authorized();
    const before = captured();
    const part = await end(reference, 'capture', { amount: 20 });
    expect(part.body, part.text).toMatchObject({ status: 'succeeded', amount: 20, amount_authorized: PRICE });
    expect(captured()).toEqual([...before, 2_000]);
    await eventually(async () =>
      expect(await till.orderOf(order)).toMatchObject({
        payment_status: 'paid',
        amount_paid: 20,
        amount_released: 6.6,
      }),
    );
    expect(await heldBy(shop, till, order)).toBe(2_000);
    expect((await till.write('POST', `/v1/orders/${order.id}/refunds`, { amount: 20 })).status).toBe(201);
    await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'refunded' }));
  });

  test('voids at the provider', async () => {
    const { order, reference } = await till.authorized();
    const before = provider().authorizations!.voided;
    expect((await end(reference, 'void')).body).toMatchObject({ status: 'voided' });
    expect(provider().authorizations!.voided).toBe(before + 1);
    await eventually(async () => expect((await till.orderOf(order)).payment_status).toBe('voided'));
  });

  test('voids the authorisation of a cancelled order at the provider', async () => {
    const { order } = await till.authorized();
    const before = provider().authorizations!.voided;
    await till.write('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' });
    await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'voided' }));
    expect(provider().authorizations!.voided).toBe(before + 1);
  });

  test.each(['lost', 'down'] as const)(
    'answers a capture as in progress while the provider is %s, and captures once',
    async (mood) => {
      const { order, reference } = await till.authorized();
      const before = captured();
      provider().standIn.mood = mood;
      const reply = await end(reference, 'capture', { amount: 20 });
      expect(reply.body, reply.text).toMatchObject({ status: 'authorized', in_progress: 'capture' });
      expect(errorOf(await end(reference, 'void'))).toEqual([409, 'conflict', 'reference']);
      provider().standIn.mood = 'well';
      await poll(reference);
      await eventually(async () =>
        expect(await till.paymentOf(order)).toMatchObject({ status: 'succeeded', amount: 20, in_progress: null }),
      );
      expect(captured()).toEqual([...before, 2_000]);
      await eventually(async () => expect((await till.orderOf(order)).payment_status).toBe('paid'));
      expect(await heldBy(shop, till, order)).toBe(2_000);
    },
  );

  test('refunds a capture whose order was cancelled while the provider was asked', async () => {
    const { order, reference } = await till.authorized();
    provider().standIn.mood = 'lost';
    expect((await end(reference, 'capture')).body).toMatchObject({ in_progress: 'capture' });
    provider().standIn.mood = 'well';
    await till.write('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' });
    await poll(reference);
    await eventually(async () =>
      expect(await till.paymentOf(order)).toMatchObject({ status: 'refunded', needs_review: false }),
    );
    expect(await heldBy(shop, till, order)).toBe(0);
    expect(await till.eventTypesOf(order)).toEqual([
      'payment.authorized',
      'order.cancelled',
      'payment.captured',
      'payment.succeeded',
      'payment.refunded',
    ]);
  });

  test('captures once for many callers', async () => {
    const { order, reference } = await till.authorized();
    const before = captured();
    const replies = await Promise.all(Array.from({ length: CALLERS }, () => end(reference, 'capture')));
    for (const { status, text } of replies) expect([200, 409, 429], text).toContain(status);
    await eventually(async () => expect(await till.paymentOf(order)).toMatchObject({ status: 'succeeded' }));
    expect(captured()).toEqual([...before, 2_660]);
    expect(await heldBy(shop, till, order)).toBe(2_660);
  });
});

test('follows a capture that Stripe reports from its own dashboard', async () => {
  const provider = providers.get('card_checkout')!;
  const till = await openTill(shop, provider);
  const report = async (session: string): Promise<Reply> => {
    const { headers, body } = provider.report(session);
    return shop.stoa.send('POST', `/v1/payments/callbacks/card_checkout/${till.keys.store_id}/sandbox`, {
      body,
      headers,
    });
  };
  const { order, session } = await till.authorized();
  provider.pay(session, 2_000);
  expect((await report(session)).status).toBe(200);
  await eventually(async () =>
    expect(await till.orderOf(order)).toMatchObject({ payment_status: 'paid', amount_paid: 20, amount_released: 6.6 }),
  );
});
