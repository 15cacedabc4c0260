// The states of an order and of its payment, and the moves between them (contract 4). Pure.
import { type Refusal, refuse } from '#runtime/call/call.ts';

export type OrderStatus = 'pending' | 'confirmed' | 'processing' | 'shipped' | 'delivered' | 'cancelled';
export type PaymentStatus = 'pending' | 'authorized' | 'paid' | 'partially_refunded' | 'refunded' | 'failed' | 'voided';

const WAY: readonly OrderStatus[] = ['pending', 'confirmed', 'processing', 'shipped', 'delivered'];
const place = (status: OrderStatus): number => WAY.indexOf(status);

/** "A skipped step is allowed forward, never back"; cancelled from any state before shipped. Null: it may move. */
export const orderObstacle = (from: OrderStatus, to: OrderStatus): Refusal | null => {
  const allowed =
    from === to ||
    (from !== 'cancelled' && (to === 'cancelled' ? place(from) < place('shipped') : place(to) > place(from)));
  if (allowed) return null;
  return refuse('conflict', `An order that is ${from} cannot become ${to}.`, { param: 'order_status' });
};

const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['authorized', 'paid', 'failed'],
  authorized: ['paid', 'voided'],
  paid: ['partially_refunded', 'refunded'],
  partially_refunded: ['refunded'],
  refunded: [],
  // A new attempt: pending again, and on from there.
  failed: ['pending', 'paid'],
  voided: [],
};

/** Null: it may move. What is cancelled takes no payment. */
export const paymentObstacle = (order: OrderStatus, from: PaymentStatus, to: PaymentStatus): Refusal | null => {
  if (from === to) return null;
  if (order === 'cancelled' && to === 'paid')
    return refuse('conflict', 'An order that is cancelled cannot be paid.', { param: 'payment_status' });
  if (PAYMENT_MOVES[from].includes(to)) return null;
  return refuse('conflict', `A payment that is ${from} cannot become ${to}.`, { param: 'payment_status' });
};

/** What was received and what was given back say how a payment stands. */
export const settledStatus = (
  before: PaymentStatus,
  { due, received, refunded }: { readonly due: number; readonly received: number; readonly refunded: number },
): PaymentStatus => {
  const unpaid = before === 'pending' || before === 'failed' || before === 'authorized';
  if (refunded > 0 && refunded >= received) return 'refunded';
  // A part of its credit went back before the rest was paid: that is still to be paid.
  if (refunded > 0) return unpaid && due > 0 ? before : 'partially_refunded';
  if (due === 0) return 'paid';
  return before === 'paid' || before === 'partially_refunded' || before === 'refunded' ? 'pending' : before;
};

/** What is cancelled, or paid, takes no payment. */
export const canBePaid = (order: OrderStatus, payment: PaymentStatus): boolean =>
  order !== 'cancelled' && (payment === 'pending' || payment === 'failed' || payment === 'authorized');
