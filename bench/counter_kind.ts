// Defines a kind of actor that only counts, for measuring the cost of the actor host without a domain's.
import type { ActorKind } from '#runtime/actor/kind.ts';
import { refuse } from '#runtime/call/call.ts';

interface Stock {
  readonly onHand: number;
  readonly held: number;
}
export type CounterCommand = { readonly hold: string; readonly quantity: number } | { readonly receive: number };
export type CounterFact =
  | { readonly held: string; readonly quantity: number; readonly until: number }
  | { readonly received: number };

const HOLD_MS = 900_000;

export const benchStock: ActorKind<Stock, CounterCommand, CounterFact, { readonly left: number }> = {
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
  isDisposable: () => false,
  announce: () => [],
};
