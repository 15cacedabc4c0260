// Choices of the filters on orders.
import { optionsOf } from '#edge/pages/dashboard/status.tsx';

export const ORDER_STATUSES = optionsOf(['pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled']);
export const PAYMENT_STATUSES = optionsOf([
  'pending',
  'authorized',
  'paid',
  'partially_refunded',
  'refunded',
  'failed',
  'voided',
]);
