// A small kind of actor for tests: seats of a show, held for a time, then sold or released.

import type { ActorKind, Context, Decision } from '#runtime/actor/kind.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { anyEvent } from '#test/support/event.ts';

export interface Hold {
  readonly count: number;
  readonly until: number;
}

export interface Tickets {
  readonly free: number;
  readonly sold: number;
  readonly holds: Readonly<Record<string, Hold>>;
  /** Every hold that ended, and how: a second end would be seen. */
  readonly ended: Readonly<Record<string, string>>;
  readonly closed: boolean;
}

export type TicketCommand =
  | { readonly do: 'add'; readonly count: number }
  | { readonly do: 'hold'; readonly hold: string; readonly count: number; readonly ms: number }
  | { readonly do: 'sell'; readonly hold: string }
  | { readonly do: 'look' }
  | { readonly do: 'expire' }
  | { readonly do: 'close' };

export type TicketFact =
  | { readonly did: 'added'; readonly count: number; readonly by: string }
  | { readonly did: 'held'; readonly hold: string; readonly count: number; readonly until: number }
  | { readonly did: 'sold'; readonly hold: string }
  | { readonly did: 'expired'; readonly hold: string }
  | { readonly did: 'closed' };

export interface TicketAnswer {
  readonly free: number;
  readonly sold: number;
  readonly held: number;
}

const totals = ({ free, sold, holds }: Tickets): TicketAnswer => ({
  free,
  sold,
  held: Object.values(holds).reduce((sum, { count }) => sum + count, 0),
});

const without = (holds: Tickets['holds'], id: string): Tickets['holds'] => {
  const { [id]: _, ...rest } = holds;
  return rest;
};

const evolve = (seats: Tickets, fact: TicketFact): Tickets => {
  if (fact.did === 'added') return { ...seats, free: seats.free + fact.count };
  if (fact.did === 'closed') return { ...seats, closed: true };
  if (fact.did === 'held') {
    const { hold, count, until } = fact;
    return { ...seats, free: seats.free - count, holds: { ...seats.holds, [hold]: { count, until } } };
  }
  const count = seats.holds[fact.hold]?.count ?? 0;
  const ended = { ...seats.ended, [fact.hold]: `${seats.ended[fact.hold] ?? ''}${fact.did};` };
  const holds = without(seats.holds, fact.hold);
  return fact.did === 'sold'
    ? { ...seats, sold: seats.sold + count, holds, ended }
    : { ...seats, free: seats.free + count, holds, ended };
};

const expired = (seats: Tickets, now: number): TicketFact[] =>
  Object.entries(seats.holds)
    .filter(([, { until }]) => until <= now)
    .map(([hold]) => ({ did: 'expired', hold }));

const decide = (
  seats: Tickets,
  command: TicketCommand,
  context: Context,
): Decision<TicketFact, TicketAnswer> | Refusal => {
  const facts: TicketFact[] = expired(seats, context.now);
  const present = facts.reduce(evolve, seats);
  const decided = (...more: TicketFact[]): Decision<TicketFact, TicketAnswer> => {
    const all = [...facts, ...more];
    return { facts: all, answer: totals(all.reduce(evolve, seats)) };
  };
  if (seats.closed) return refuse('conflict', `${command.do} needs an open show; this show is closed. Use another id.`);
  switch (command.do) {
    case 'look':
      return { facts: [], answer: totals(present) };
    case 'expire':
      return decided();
    case 'close':
      return decided({ did: 'closed' });
    case 'add':
      return decided({ did: 'added', count: command.count, by: context.commandId });
    case 'hold': {
      const { hold, count, ms } = command;
      if (present.holds[hold] || present.ended[hold]) return { facts, answer: totals(present) };
      if (present.free < count)
        return refuse('insufficient_stock', `${present.free} of the ${count} seats are free. Hold fewer.`);
      return decided({ did: 'held', hold, count, until: context.now + ms });
    }
    case 'sell':
      if (present.ended[command.hold]?.includes('sold')) return { facts, answer: totals(present) };
      if (!present.holds[command.hold])
        return refuse('not_found', `The hold ${command.hold} does not exist. Hold seats before you sell them.`);
      return decided({ did: 'sold', hold: command.hold });
  }
};

export const ticket: ActorKind<Tickets, TicketCommand, TicketFact, TicketAnswer> = {
  name: 'seat',
  initial: { free: 0, sold: 0, holds: {}, ended: {}, closed: false },
  decide,
  evolve,
  dueAt: ({ holds }) =>
    Object.values(holds).reduce<number | null>((first, { until }) => Math.min(first ?? until, until), null),
  due: { do: 'expire' },
  isDisposable: ({ closed }) => closed,
  announce: (seats, fact, { id }) =>
    fact.did === 'sold' || fact.did === 'expired'
      ? [anyEvent(`seat.${fact.did}`, { id, hold: fact.hold, free: seats.free })]
      : [],
};
