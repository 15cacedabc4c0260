// Assigns routes to admission lanes. Each lane tolerates another waiting time; under load the lanes that tolerate least
// are limited first.
import type { Route } from '#proto/route.ts';
import type { LimitRule } from './limit.ts';

export type LaneName = 'read' | 'write' | 'checkout';

const MAX = 2_048;

/** Waiting time that each lane tolerates, and the bounds of its concurrency limit. Checkout is limited last. */
export const LANES: Readonly<Record<LaneName, LimitRule>> = {
  read: { slackMs: 25, min: 128, max: MAX },
  write: { slackMs: 50, min: 192, max: MAX },
  checkout: { slackMs: 200, min: 256, max: MAX },
};

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

/**
 * Returns the route's lane; null for routes that are always admitted: health checks, long polls, and routes with a
 * concurrency limit of their own.
 */
export const laneOfRoute = ({ rpc, verb, writes, at_once, query }: Route): LaneName | null => {
  if (rpc.startsWith('Meta/') || at_once !== undefined) return null;
  if (query.some(({ name }) => name === 'wait_seconds')) return null;
  if (CHECKOUT.has(rpc)) return 'checkout';
  return verb === 'GET' || !writes ? 'read' : 'write';
};
