// The kinds of actors that bench/actor.ts measures: a stock-like counter, and a state of the size of a small cart.
import type { ActorKind } from '#runtime/actor/kind.ts';
import { refuse } from '#runtime/call.ts';

interface Stock {
  readonly onHand: number;
  readonly held: number;
}
export type StockCommand = { readonly hold: string; readonly quantity: number } | { readonly receive: number };
export type StockFact =
  | { readonly held: string; readonly quantity: number; readonly until: number }
  | { readonly received: number };

const HOLD_MS = 900_000;

export const benchStock: ActorKind<Stock, StockCommand, StockFact, { readonly left: number }> = {
  name: 'bench_stock',
  initial: { onHand: 0, held: 0 },
  decide(state, command, { now }) {
    const left = state.onHand - state.held;
    if ('receive' in command)
      return { facts: [{ received: command.receive }], answer: { left: left + command.receive } };
    if (left < command.quantity) return refuse('insufficient_stock', 'Sold out.');
    const { hold, quantity } = command;
    return { facts: [{ held: hold, quantity, until: now + HOLD_MS }], answer: { left: left - quantity } };
  },
  evolve: ({ onHand, held }, fact) =>
    'received' in fact ? { onHand: onHand + fact.received, held } : { onHand, held: held + fact.quantity },
  dueAt: () => null,
  due: { receive: 0 },
  over: () => false,
  announce: () => [],
};

interface Line {
  readonly id: string;
  readonly productId: string;
  readonly variantId: string;
  readonly quantity: number;
  readonly unitPrice: number;
  readonly addedAt: number;
}
interface Basket {
  readonly lines: readonly Line[];
  readonly version: number;
  readonly updatedAt: number;
}

export const benchBasket: ActorKind<
  Basket,
  { readonly add: number },
  { readonly lines: readonly Line[] },
  { readonly version: number }
> = {
  name: 'bench_basket',
  initial: { lines: [], version: 0, updatedAt: 0 },
  decide: (state, { add }, { now, commandId }) => ({
    facts: [
      {
        lines: Array.from({ length: add }, (_, at) => ({
          id: `${commandId.slice(0, -2)}${at + 10}`,
          productId: `${commandId.slice(0, -2)}${at + 20}`,
          variantId: `${commandId.slice(0, -2)}${at + 30}`,
          quantity: 1 + at,
          unitPrice: 1_999 + at,
          addedAt: now,
        })),
      },
    ],
    answer: { version: state.version + 1 },
  }),
  evolve: ({ lines, version }, fact) => ({
    lines: [...lines, ...fact.lines],
    version: version + 1,
    updatedAt: fact.lines[0]?.addedAt ?? 0,
  }),
  dueAt: ({ updatedAt }) => updatedAt + 3_600_000,
  due: { add: 0 },
  over: () => false,
  announce: () => [],
};
