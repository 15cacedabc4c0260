// Causes the events of payments, clause by clause, at a merchant's own provider and at the simulator.
import { expect } from 'vitest';
import type { SandboxAnswer } from '#services/cli/trigger/sandbox.ts';
import { type EventCause, type ExpectedEvent, order, type Scene } from './event_scene.ts';

/** An order with a payment at the merchant's own provider, which has not said anything of it yet. */
const startedPayment = async (scene: Scene): Promise<{ placed: SandboxAnswer; session: string }> => {
  const placed = await order(scene);
  const { session_id } = await scene.sandbox.sign('POST', '/v1/payments/initialize', {
    provider: scene.provider.name,
    amount: placed.amount_due,
    currency: placed.currency,
    order_id: placed.id,
  });
  return { placed, session: session_id };
};

export const paid = async (scene: Scene): Promise<{ placed: SandboxAnswer; session: string }> => {
  const one = await startedPayment(scene);
  scene.provider.pay(one.session);
  await scene.callback(scene.provider.report(one.session));
  return one;
};

/** A payment that the simulator authorised, to be captured later. */
const authorized = async (scene: Scene): Promise<{ placed: SandboxAnswer; reference: string }> => {
  const { sandbox } = scene;
  const placed = await order(scene);
  const { reference } = await sandbox.sign('POST', '/v1/payments/initialize', {
    provider: 'card_checkout',
    amount: placed.amount_due,
    order_id: placed.id,
    email: placed.email,
    capture: 'manual',
  });
  await sandbox.post(`/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
  return { placed, reference };
};

const paymentOf = (placed: SandboxAnswer, status: string): ExpectedEvent => ({
  object: { order_id: placed.id, status, amount: 20 },
});

export const PAYMENT_ROWS: readonly EventCause[] = [
  [
    'payment.succeeded',
    "the payment provider's webhook reports success",
    async (scene) => paymentOf((await paid(scene)).placed, 'succeeded'),
  ],
  [
    'payment.failed',
    "the payment provider's webhook reports failure",
    async (scene) => {
      const { placed, session } = await startedPayment(scene);
      scene.provider.decline(session);
      await scene.callback(scene.provider.report(session));
      return paymentOf(placed, 'failed');
    },
  ],
  [
    'payment.authorized',
    'a payment with manual capture is authorised',
    async (scene) => paymentOf((await authorized(scene)).placed, 'authorized'),
  ],
  [
    'payment.captured',
    'an authorised payment is captured',
    async (scene) => {
      const { placed, reference } = await authorized(scene);
      await scene.sandbox.sign('POST', `/v1/payments/${reference}/capture`, {});
      return paymentOf(placed, 'succeeded');
    },
  ],
  [
    'payment.voided',
    'an authorised payment is voided',
    async (scene) => {
      const { placed, reference } = await authorized(scene);
      await scene.sandbox.sign('POST', `/v1/payments/${reference}/void`, {});
      return paymentOf(placed, 'voided');
    },
  ],
  [
    'payment.refunded',
    "the payment provider's webhook reports a refund",
    async (scene) => {
      const { placed, session } = await paid(scene);
      await scene.callback(scene.provider.reportRefund(session, 5, true));
      return { object: { order_id: placed.id, amount_refunded: 5, refund: expect.objectContaining({ amount: 5 }) } };
    },
  ],
];
