// Which requests stand in one queue. The lanes differ in the waiting that they put up with: where all of them wait for the
// same processor the less patient are limited first, and what they no longer ask for is the others'.
import type { Route } from '#proto/route.ts';
import type { LimitRule } from './limit.ts';

export type LaneName = 'read' | 'write' | 'checkout';

const MAX = 2_048;

/** Checkout is the last to be shed. */
export const LANES: Readonly<Record<LaneName, LimitRule>> = {
  read: { slackMs: 25, min: 128, max: MAX },
  write: { slackMs: 50, min: 192, max: MAX },
  checkout: { slackMs: 200, min: 256, max: MAX },
};

/** Writes of these are a shopper on the way from a full cart to a paid order. */
const CHECKOUT = new Set([
  'Order/CreateOrder',
  'Payment/InitializePayment',
  'Payment/VerifyPayment',
  'Payment/ReceiveCallback',
  'Checkout/PlaceCheckout',
  'CheckoutPayment/PayCheckout',
  'Agent/CreateCheckoutIntent',
  'Agent/UpdateCheckoutIntent',
  'Shipping/Calculate',
]);

/** Null: it is let in always, being bounded further in, or waiting on purpose, or asked to learn how the edge is. */
export const laneOfRoute = ({ rpc, verb, writes, at_once, query }: Route): LaneName | null => {
  if (rpc.startsWith('Meta/') || at_once !== undefined) return null;
  if (query.some(({ name }) => name === 'wait_seconds')) return null;
  if (CHECKOUT.has(rpc)) return 'checkout';
  return verb === 'GET' || !writes ? 'read' : 'write';
};
