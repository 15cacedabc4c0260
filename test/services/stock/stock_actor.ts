// One variant's stock actor without a host, for tests of the pure core.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { decideStock } from '#services/stock/decision.ts';
import {
  evolveStock,
  NO_STOCK,
  type StockAnswer,
  type StockCommand,
  type StockFact,
  type StockLevel,
  type StockState,
} from '#services/stock/stock.ts';

export const plain = ({ holds, ...rest }: StockState) => ({
  ...rest,
  holds: holds.all().sort((a, b) => (a.id < b.id ? -1 : 1)),
});

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export class StockActor {
  state: StockState = NO_STOCK;
  readonly facts: StockFact[] = [];
  now = 0;

  tell(command: StockCommand): StockAnswer | Refusal {
    const decision = decideStock(this.state, command, { now: this.now });
    if (decision instanceof Refusal) return decision;
    this.facts.push(...decision.facts);
    this.state = decision.facts.reduce(evolveStock, this.state);
    if (decision.state) expect(isDeepStrictEqual(plain(decision.state), plain(this.state))).toBe(true);
    return decision.answer;
  }

  ok(command: StockCommand): StockAnswer {
    const answer = this.tell(command);
    if (answer instanceof Refusal) throw new Error(answer.message);
    return answer;
  }

  hold(hold: string, quantity: number, level: StockLevel, forMs = 5 * MINUTE): StockAnswer | Refusal {
    return this.tell({ type: 'Hold', hold, quantity, level, expiresAt: this.now + forMs });
  }

  look(): StockAnswer {
    return this.ok({ type: 'Look', level: null });
  }
}

export const level = (onHand: number, version = 1, allocated = 0): StockLevel => ({ onHand, version, allocated });
export const statusOf = (answer: StockAnswer | Refusal): unknown =>
  answer instanceof Refusal ? answer.message : (answer.hold?.status ?? null);
