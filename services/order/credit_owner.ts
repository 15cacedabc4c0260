// Whether a customer can still have store credit: one who is deleted could never spend it.
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import type { OrderNeighbours } from './neighbour.ts';

/** Null: they can. Asked before a connection is held; `param` is what would give it. */
export const creditObstacle = async (
  neighbours: Pick<OrderNeighbours, 'customer'>,
  call: Call,
  customer: string,
  param: string,
): Promise<Refusal | null> => {
  const found = await neighbours.customer(call, customer);
  if (!(found instanceof Refusal)) return null;
  if (found.code !== 'not_found') return found;
  return refuse('conflict', 'The customer is deleted, and can have no store credit.', { param });
};
