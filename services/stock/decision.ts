// Decides commands to one variant's stock: facts, the state after them and an answer, or a refusal. Pure. stock.ts says how
// a quantity passes from held to committed.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { type Hold, type HoldStatus, pageOfHolds } from './hold.ts';
import {
  availableUnitsAt,
  type Cohort,
  committedUnitsOf,
  EXACT_EXPIRIES_MAX,
  evolveStock,
  forgetAt,
  HOLDERS_PER_HOLD_MAX,
  heldUnitsAt,
  roundUpTo,
  SECOND_MS,
  STOCK_TIMES,
  type StockAnswer,
  type StockCommand,
  type StockFact,
  type StockLevel,
  type StockState,
} from './stock.ts';

type StockDecision = Decision<StockFact, StockAnswer, StockState>;
type CommandOf<Type extends StockCommand['type']> = Extract<StockCommand, { readonly type: Type }>;

const ENDED: Readonly<Partial<Record<HoldStatus, string>>> = {
  committed: 'The hold was committed.',
  released: 'The hold was released.',
  expired: 'The hold has expired.',
};

const isLive = ({ status }: Hold): boolean => status === 'pending';

const answerOf = (state: StockState, now: number, hold: Hold | null, isNew = false): StockAnswer => {
  const held = heldUnitsAt(state, now);
  const { onHand } = state.level;
  const shown = hold && { status: hold.status, quantity: hold.quantity, until: hold.until, isNew };
  const available = Math.max(0, availableUnitsAt(state, now));
  return { onHand, held, available, seq: state.seq, committedUnits: committedUnitsOf(state), hold: shown };
};

class StockDecider {
  readonly #facts: StockFact[] = [];
  readonly #now: number;
  #state: StockState;

  constructor(state: StockState, now: number) {
    this.#state = state;
    this.#now = now;
  }

  elapse(command: StockCommand): void {
    const { unitsByExpiry, endedCountByForgetTime } = this.#state;
    const isRead = command.type === 'Look' || command.type === 'ListHolds';
    if (!isRead && (this.#isDue(unitsByExpiry) || this.#isDue(endedCountByForgetTime)))
      this.#record({
        type: 'Elapsed',
        now: this.#now,
        forgetAt: forgetAt(this.#now, STOCK_TIMES.expiredHoldRetentionMs),
      });
  }

  look({ level }: CommandOf<'Look'>): StockDecision {
    const state = this.#state;
    const isNews = level !== null && level.version > state.level.version;
    const seen = isNews ? { ...evolveStock(state, { type: 'LevelChanged', ...level }), seq: state.seq } : state;
    return { facts: this.#facts, answer: answerOf(seen, this.#now, null) };
  }

  listHolds({ after, limit }: CommandOf<'ListHolds'>): StockDecision {
    const holds = pageOfHolds(this.#state.holds.all(), this.#now, after, limit);
    return { facts: this.#facts, answer: { ...answerOf(this.#state, this.#now, null), holds } };
  }

  hold(command: CommandOf<'Hold'>): StockDecision | Refusal {
    const { hold: id, quantity, level, holder } = command;
    const current = this.#state.holds.get(id);
    if (current?.quantity === quantity && isLive(current)) {
      const joined = this.#join(current, holder);
      return joined instanceof Refusal ? joined : this.#answer(joined);
    }
    if (current)
      return refuse('conflict', ENDED[current.status] ?? `The hold is of ${current.quantity} units, not ${quantity}.`);
    this.#applyLevel(level);
    const expiresAt = this.#expiry(command.expiresAt);
    if (quantity > availableUnitsAt(this.#state, this.#now) || expiresAt <= this.#now) return this.#answer(null);
    this.#record({ type: 'Held', hold: id, quantity, expiresAt, ...(holder && { holder }) });
    return this.#answer(this.#state.holds.get(id), true);
  }

  resize(command: CommandOf<'Resize'>): StockDecision | Refusal {
    const { hold: id, quantity, level } = command;
    const current = this.#state.holds.get(id);
    if (current?.status === 'committed')
      return refuse('conflict', 'An order has committed the hold, so its quantity cannot change.');
    const before = current?.status === 'pending' ? current.quantity : 0;
    this.#applyLevel(level);
    if (quantity === before) return this.#answer(current ?? null);
    const expiresAt = this.#expiry(command.expiresAt);
    const available = availableUnitsAt(this.#state, this.#now) + before;
    // A smaller quantity is always granted, because the hold already has those units.
    if (quantity > before && (quantity > available || expiresAt <= this.#now)) return this.#answer(null);
    if (before > 0) this.#record({ type: 'Released', hold: id, forgetAt: forgetAt(this.#now) });
    if (quantity > 0) this.#record({ type: 'Held', hold: id, quantity, expiresAt });
    return this.#answerFor(id);
  }

  /** Commits holds. Never refuses, because the order has already allocated the units. */
  commit({ holds, level }: CommandOf<'Commit'>): StockDecision {
    // The level is applied before the holds end, so that their units never count as available in between.
    this.#applyLevel(level);
    for (const hold of holds) {
      const current = this.#state.holds.get(hold);
      if (!current || current.status === 'committed') continue;
      if (isLive(current)) this.#record({ type: 'Committed', hold, forgetAt: forgetAt(this.#now) });
      else this.#record({ type: 'CommittedLate', hold });
    }
    return this.#answerFor(holds.at(-1)!);
  }

  release({ hold, holder }: CommandOf<'Release'>): StockDecision | Refusal {
    const current = this.#state.holds.get(hold);
    const holders = current?.holders ?? [];
    if (holder && current && (holders.length > 1 || !holders.includes(holder))) {
      if (holders.includes(holder)) this.#record({ type: 'HolderLeft', hold, holder });
      return this.#answerFor(hold);
    }
    if (current?.status === 'committed') return refuse('conflict', ENDED.committed!);
    // Records the release of a hold that does not exist yet, so that its delayed `Hold` command creates nothing.
    if (!current) this.#record({ type: 'Held', hold, quantity: 0, expiresAt: this.#now });
    if (!current || isLive(current)) this.#record({ type: 'Released', hold, forgetAt: forgetAt(this.#now) });
    return this.#answerFor(hold);
  }

  due(): StockDecision {
    return this.#answer(null);
  }

  #record(fact: StockFact): void {
    this.#facts.push(fact);
    this.#state = evolveStock(this.#state, fact);
  }

  #applyLevel(level: StockLevel): void {
    if (level.version > this.#state.level.version) this.#record({ type: 'LevelChanged', ...level });
  }

  #answer(hold: Hold | null, isNew = false): StockDecision {
    const state = this.#state;
    return { facts: this.#facts, state, answer: answerOf(state, this.#now, hold, isNew) };
  }

  #answerFor(id: string): StockDecision {
    return this.#answer(this.#state.holds.get(id));
  }

  #join(hold: Hold, holder: string | undefined): Hold | Refusal {
    const { id, holders } = hold;
    if (!holder || !holders || holders.includes(holder)) return hold;
    if (holders.length >= HOLDERS_PER_HOLD_MAX)
      return refuse(
        'conflict',
        `The hold has ${HOLDERS_PER_HOLD_MAX} holders, the most that may share one. Use a new hold id.`,
      );
    this.#record({ type: 'HolderJoined', hold: id, holder });
    return this.#state.holds.get(id)!;
  }

  #expiry(at: number): number {
    return this.#state.unitsByExpiry.length < EXACT_EXPIRIES_MAX ? at : roundUpTo(at, SECOND_MS);
  }

  #isDue(cohorts: readonly Cohort[]): boolean {
    return (cohorts[0]?.[0] ?? Number.POSITIVE_INFINITY) <= this.#now;
  }
}

export const decideStock = (
  state: StockState,
  command: StockCommand,
  { now }: Pick<Context, 'now'>,
): StockDecision | Refusal => {
  const decider = new StockDecider(state, now);
  decider.elapse(command);
  switch (command.type) {
    case 'Look':
      return decider.look(command);
    case 'ListHolds':
      return decider.listHolds(command);
    case 'Hold':
      return decider.hold(command);
    case 'Resize':
      return decider.resize(command);
    case 'Commit':
      return decider.commit(command);
    case 'Release':
      return decider.release(command);
    case 'Due':
      return decider.due();
  }
};
