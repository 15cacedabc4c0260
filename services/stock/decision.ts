// What comes of a command to one variant's stock: facts, the state behind them and an answer, or a refusal. Pure.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { Hold, HoldStatus } from './hold.ts';
import {
  type Cohort,
  committedOf,
  EXACT_COHORTS_MAX,
  evolveStock,
  forgetAt,
  freeAt,
  heldAt,
  OWNERS_MAX,
  roundUp,
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

const isLive = ({ status }: Hold): boolean => status === 'pending' || status === 'pinned';

const answerOf = (state: StockState, now: number, hold: Hold | null, isNew = false): StockAnswer => {
  const held = heldAt(state, now);
  const { onHand } = state.level;
  const shown = hold && { status: hold.status, quantity: hold.quantity, until: hold.until, isNew };
  const available = Math.max(0, freeAt(state, now));
  return { onHand, held, available, seq: state.seq, committed: committedOf(state), hold: shown };
};

/** One decision under way: the facts so far, and the state behind them. */
class Deciding {
  readonly #facts: StockFact[] = [];
  readonly #now: number;
  #present: StockState;

  constructor(state: StockState, now: number) {
    this.#present = state;
    this.#now = now;
  }

  /** What is over counts no more, whether or not it was told. */
  elapse(command: StockCommand): void {
    const { expiries, endings } = this.#present;
    if (command.type !== 'Look' && (this.#isDue(expiries) || this.#isDue(endings)))
      this.#note({ type: 'Elapsed', until: this.#now, forgetAt: forgetAt(this.#now) });
  }

  look({ level }: CommandOf<'Look'>): StockDecision {
    const state = this.#present;
    const isNews = level !== null && level.version > state.level.version;
    const seen = isNews ? { ...evolveStock(state, { type: 'Levelled', ...level }), seq: state.seq } : state;
    return { facts: this.#facts, answer: answerOf(seen, this.#now, null) };
  }

  hold(command: CommandOf<'Hold'>): StockDecision | Refusal {
    const { hold: id, quantity, level, pins, owner } = command;
    const known = this.#present.holds.get(id);
    if (known?.quantity === quantity && isLive(known)) {
      const joined = this.#join(known, owner);
      if (joined instanceof Refusal) return joined;
      return this.#answer(pins ? this.#pin(joined) : joined);
    }
    if (known) return refuse('conflict', ENDED[known.status] ?? 'The hold has another quantity.');
    this.#hear(level);
    const expiresAt = this.#expiry(command.expiresAt);
    if (quantity > freeAt(this.#present, this.#now) || expiresAt <= this.#now) return this.#answer(null);
    this.#note({ type: 'Held', hold: id, quantity, expiresAt, ...(owner && { owner }) });
    const begun = this.#present.holds.get(id)!;
    return this.#answer(pins ? this.#pin(begun) : begun, true);
  }

  resize(command: CommandOf<'Resize'>): StockDecision | Refusal {
    const { hold: id, quantity, level } = command;
    const known = this.#present.holds.get(id);
    if (known?.status === 'pinned' || known?.status === 'committed')
      return refuse('conflict', 'An order takes what is held.');
    const before = known?.status === 'pending' ? known.quantity : 0;
    this.#hear(level);
    if (quantity === before) return this.#answer(known ?? null);
    const expiresAt = this.#expiry(command.expiresAt);
    const available = freeAt(this.#present, this.#now) + before;
    // Less than before is there, whatever became of what is on hand.
    if (quantity > before && (quantity > available || expiresAt <= this.#now)) return this.#answer(null);
    if (before > 0) this.#note({ type: 'Released', hold: id, forgetAt: forgetAt(this.#now) });
    if (quantity > 0) this.#note({ type: 'Held', hold: id, quantity, expiresAt });
    return this.#answerOn(id);
  }

  pin({ hold }: CommandOf<'Pin'>): StockDecision | Refusal {
    const known = this.#present.holds.get(hold);
    if (known?.status === 'released' || known?.status === 'expired') return refuse('conflict', ENDED[known.status]!);
    if (!known) return refuse('conflict', 'There is no such hold any more.');
    return this.#answer(this.#pin(known));
  }

  /** Decided elsewhere and for good: whatever became of a hold here, the pieces are gone from what is on hand. */
  commit({ holds, level }: CommandOf<'Commit'>): StockDecision {
    // First, so that it is without the pieces when their holds end.
    this.#hear(level);
    for (const hold of holds) {
      const known = this.#present.holds.get(hold);
      if (!known || known.status === 'committed') continue;
      if (isLive(known)) this.#note({ type: 'Committed', hold, forgetAt: forgetAt(this.#now) });
      else this.#note({ type: 'Missed', hold });
    }
    return this.#answerOn(holds.at(-1)!);
  }

  release({ hold, owner }: CommandOf<'Release'>): StockDecision | Refusal {
    const known = this.#present.holds.get(hold);
    const owners = known?.owners ?? [];
    if (owner && known && (owners.length > 1 || !owners.includes(owner))) {
      if (owners.includes(owner)) this.#note({ type: 'Left', hold, owner });
      return this.#answerOn(hold);
    }
    if (known?.status === 'committed') return refuse('conflict', ENDED.committed!);
    // Its Hold may be on its way still, through a host that stood still: it must not begin what its holder has let go.
    if (!known) this.#note({ type: 'Held', hold, quantity: 0, expiresAt: this.#now });
    if (!known || isLive(known)) this.#note({ type: 'Released', hold, forgetAt: forgetAt(this.#now) });
    return this.#answerOn(hold);
  }

  due(): StockDecision {
    const now = this.#now;
    if (this.#isDue(this.#present.doubts)) {
      const pinned = this.#present.holds.all().filter(({ status, until }) => status === 'pinned' && until <= now);
      const again = roundUp(now + STOCK_TIMES.doubtAgainMs, SECOND_MS);
      this.#note({ type: 'Doubted', holds: pinned.map(({ id }) => id), at: now, again });
    }
    return this.#answer(null);
  }

  #note(fact: StockFact): void {
    this.#facts.push(fact);
    this.#present = evolveStock(this.#present, fact);
  }

  #hear(level: StockLevel): void {
    if (level.version > this.#present.level.version) this.#note({ type: 'Levelled', ...level });
  }

  #answer(hold: Hold | null, isNew = false): StockDecision {
    const state = this.#present;
    return { facts: this.#facts, state, answer: answerOf(state, this.#now, hold, isNew) };
  }

  #answerOn(id: string): StockDecision {
    return this.#answer(this.#present.holds.get(id));
  }

  #join(hold: Hold, owner: string | undefined): Hold | Refusal {
    const { id, owners } = hold;
    if (!owner || !owners || owners.includes(owner)) return hold;
    if (owners.length >= OWNERS_MAX) return refuse('conflict', 'Too many have the hold.');
    this.#note({ type: 'Joined', hold: id, owner });
    return this.#present.holds.get(id)!;
  }

  #pin(hold: Hold): Hold {
    if (hold.status !== 'pending') return hold;
    const doubtAt = roundUp(this.#now + STOCK_TIMES.doubtAfterMs, SECOND_MS);
    this.#note({ type: 'Pinned', hold: hold.id, doubtAt });
    return { ...hold, status: 'pinned', until: doubtAt };
  }

  #expiry(at: number): number {
    return this.#present.expiries.length < EXACT_COHORTS_MAX ? at : roundUp(at, SECOND_MS);
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
  const deciding = new Deciding(state, now);
  deciding.elapse(command);
  switch (command.type) {
    case 'Look':
      return deciding.look(command);
    case 'Hold':
      return deciding.hold(command);
    case 'Resize':
      return deciding.resize(command);
    case 'Pin':
      return deciding.pin(command);
    case 'Commit':
      return deciding.commit(command);
    case 'Release':
      return deciding.release(command);
    case 'Due':
      return deciding.due();
  }
};
