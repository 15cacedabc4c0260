// What can be bought of one variant: what is on hand, as told by Postgres, less what is held.
// Facts and what they make of its state. Pure.
//
// What is on hand belongs to Postgres, where its row counts a `version` at each change. An actor hears of it from
// a command that holds or commits and believes the newest version; no actor has to be told when a merchant writes a level, and
// writing one needs no actor.
//
// An order's transaction lowers the level before its hold is committed here. Until then its pieces are held, and the level
// that the actor knows may be without them already. So each level tells how many pieces orders have taken in all. What they
// took between two levels is held here as long as its holds are not committed, since an order takes nothing else, and
// a commit brings a level as new as its order: so many pieces are held and not on hand any more. Which ones they are makes no
// difference. A hold that ended before it was told that its order took it, a checkout intent's at the end of its time, is
// put right by that commit.
import { type Hold, type HoldStatus, type Holds, NO_HOLDS } from './hold.ts';

/** What is on hand as of a version of its row in Postgres. */
export interface StockLevel {
  readonly onHand: number;
  readonly version: number;
  /** Units that orders have taken as of that version. */
  readonly allocated: number;
}

/** How much there is of something that falls due at a time, in ms by the tenant's clock. */
export type Cohort = readonly [at: number, amount: number];

export interface StockState {
  readonly level: StockLevel;
  /** Pieces. */
  readonly pending: number;
  readonly pinned: number;
  /** Pieces that are held and not on hand any more. */
  readonly uncommitted: number;
  readonly holds: Holds;
  /** Pieces of pending holds by when they expire, the earliest first. */
  readonly expiries: readonly Cohort[];
  /** Pinned holds by when their orders are asked about them. */
  readonly doubts: readonly Cohort[];
  /** Ended holds by when they are forgotten. */
  readonly endings: readonly Cohort[];
  /** The pinned holds that were asked about last. */
  readonly asking: { readonly at: number; readonly holds: readonly string[] };
  /** Counts the facts: of two reports of what is held the one with the higher count is the newer. */
  readonly seq: number;
}

export type StockFact =
  | ({ readonly type: 'Levelled' } & StockLevel)
  | {
      readonly type: 'Held';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly owner?: string;
    }
  /** One more took the hold, or one of several let go of it. */
  | { readonly type: 'Joined' | 'Left'; readonly hold: string; readonly owner: string }
  | { readonly type: 'Pinned'; readonly hold: string; readonly doubtAt: number }
  | { readonly type: 'Committed' | 'Released'; readonly hold: string; readonly forgetAt: number }
  /** The hold had ended otherwise when it was told that its order took it. */
  | { readonly type: 'Missed'; readonly hold: string }
  /** Pending holds that had expired by then did, and ended ones were forgotten. */
  | { readonly type: 'Elapsed'; readonly until: number; readonly forgetAt: number }
  /** Their orders are asked what became of these pinned holds, and again later. */
  | { readonly type: 'Doubted'; readonly holds: readonly string[]; readonly at: number; readonly again: number };

export type StockCommand =
  /** Null: the asker does not know what is on hand. */
  | { readonly type: 'Look'; readonly level: StockLevel | null }
  | {
      readonly type: 'Hold';
      /** Unique to one try of one buyer, and the same for its repetitions. */
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
      /** Whether it is pinned at once. */
      readonly pins?: boolean;
      /** Who of several that may take it under this name at once. */
      readonly owner?: string | undefined;
    }
  /** The pending hold has this quantity from here on; 0 lets it go. */
  | {
      readonly type: 'Resize';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
    }
  | { readonly type: 'Pin'; readonly hold: string }
  | { readonly type: 'Commit'; readonly holds: readonly string[]; readonly level: StockLevel }
  /** Undefined: for all who took it. */
  | { readonly type: 'Release'; readonly hold: string; readonly owner?: string | undefined }
  /** Time has come. */
  | { readonly type: 'Due' };

/** How it stands now. */
export interface StockAnswer {
  readonly onHand: number;
  readonly held: number;
  /** On hand less held, but for what is held and not on hand any more; never below 0. */
  readonly available: number;
  readonly seq: number;
  /** See `soldOf`. */
  readonly committed: number;
  /** The hold that was asked about, the last of several; null where there is none (any more): of a `Hold`, that there is not as much. */
  readonly hold: {
    readonly status: HoldStatus;
    readonly quantity: number;
    readonly until: number;
    /** This command began it, and not an earlier one of the same hold. */
    readonly isNew: boolean;
  } | null;
}

/** Where many are held, holds end at whole seconds, rounded up, so that those of one second are one cohort. */
export const SECOND_MS = 1_000;
/** Up to so many cohorts each hold ends at its own millisecond: when its intent does. */
export const EXACT_COHORTS_MAX = 32;
const FORGET_STEP_MS = 5_000;
/**
 * What ended is forgotten with whatever is told next. Where nothing is, time is told of many at once, and of a few a while
 * later: an alarm for each sale would be a record, a snapshot and a look of the catalogue that change nothing.
 */
const MANY_ENDED = 64;
const FEW_KEPT_MS = 4 * 60_000;

/** Of one hold; who comes then takes another one. */
export const OWNERS_MAX = 1_000;

export const STOCK_TIMES = {
  /**
   * Of a hold that ended. Longer than any call that holds is under way: a Hold that comes late must not begin anew what has
   * ended. Of a variant in demand these are nearly all that its snapshot names.
   */
  rememberedMs: 15_000,
  /** An order that is still not decided so long after its pin is asked about. */
  doubtAfterMs: 60_000,
  doubtAgainMs: 30_000,
} as const;

/** The level of a variant that the catalogue does not know. */
export const NO_LEVEL: StockLevel = { onHand: 0, version: 0, allocated: 0 };

export const NO_STOCK: StockState = {
  level: NO_LEVEL,
  pending: 0,
  pinned: 0,
  uncommitted: 0,
  holds: NO_HOLDS,
  expiries: [],
  doubts: [],
  endings: [],
  asking: { at: 0, holds: [] },
  seq: 0,
};

export const roundUp = (ms: number, step: number): number => Math.ceil(ms / step) * step;
export const forgetAt = (now: number): number => roundUp(now + STOCK_TIMES.rememberedMs, FORGET_STEP_MS);

const sumOf = (cohorts: readonly Cohort[], until: number): number => {
  let sum = 0;
  for (const [at, amount] of cohorts) {
    if (at > until) break;
    sum += amount;
  }
  return sum;
};

const after = (cohorts: readonly Cohort[], until: number): readonly Cohort[] =>
  (cohorts[0]?.[0] ?? Number.POSITIVE_INFINITY) > until ? cohorts : cohorts.filter(([at]) => at > until);

/** The cohorts with so much more, or less, at a time. */
const shifted = (cohorts: readonly Cohort[], at: number, amount: number): readonly Cohort[] => {
  let place = cohorts.length;
  while (place > 0 && cohorts[place - 1]![0] >= at) place--;
  const known = cohorts[place];
  if (known?.[0] !== at) return amount === 0 ? cohorts : cohorts.toSpliced(place, 0, [at, amount]);
  const sum = known[1] + amount;
  if (sum === 0) return cohorts.toSpliced(place, 1);
  // Half of what `with` takes.
  const changed = cohorts.slice();
  changed[place] = [at, sum];
  return changed;
};

type Change = { -readonly [Field in keyof StockState]: StockState[Field] };

/** Where holds were lost with a log, or a database was brought back, it is right again once nothing is held. */
const count = (state: Change, pieces: number): void => {
  state.uncommitted = Math.min(Math.max(0, pieces), state.pending + state.pinned);
};

const hear = (state: Change, { onHand, version, allocated }: StockLevel): void => {
  // The first level of an actor is what it counts from: orders of before were never held here.
  count(state, state.level.version === NO_LEVEL.version ? 0 : state.uncommitted + allocated - state.level.allocated);
  state.level = { onHand, version, allocated };
};

/** Ended, as which it is remembered until then. */
const end = (state: Change, hold: Hold, status: HoldStatus, until: number): void => {
  const { id, quantity } = hold;
  if (hold.status === 'pinned') {
    state.pinned -= quantity;
    state.doubts = shifted(state.doubts, hold.until, -1);
  } else {
    state.pending -= quantity;
    state.expiries = shifted(state.expiries, hold.until, -quantity);
  }
  count(state, status === 'committed' ? state.uncommitted - quantity : state.uncommitted);
  state.endings = shifted(state.endings, until, 1);
  state.holds = state.holds.with({ id, quantity, status, until });
  const { asking } = state;
  if (asking.holds.includes(id)) state.asking = { ...asking, holds: asking.holds.filter((other) => other !== id) };
};

const elapse = (state: Change, now: number, forgottenAt: number): void => {
  let expired = 0;
  state.holds = state.holds.map((hold) => {
    const { id, quantity, status, until } = hold;
    if (status === 'pinned' || until > now) return hold;
    if (status !== 'pending') return null;
    expired++;
    return { id, quantity, status: 'expired', until: forgottenAt };
  });
  state.pending -= sumOf(state.expiries, now);
  state.expiries = after(state.expiries, now);
  count(state, state.uncommitted);
  state.endings = shifted(after(state.endings, now), forgottenAt, expired);
};

const happen = (state: Change, fact: StockFact): void => {
  switch (fact.type) {
    case 'Levelled':
      hear(state, fact);
      return;
    case 'Held': {
      const { hold, quantity, expiresAt, owner } = fact;
      state.pending += quantity;
      state.expiries = shifted(state.expiries, expiresAt, quantity);
      const owners = owner === undefined ? {} : { owners: [owner] };
      state.holds = state.holds.with({ id: hold, quantity, status: 'pending', until: expiresAt, ...owners });
      return;
    }
    case 'Joined':
    case 'Left': {
      const { type, hold, owner } = fact;
      const known = state.holds.get(hold)!;
      const others = (known.owners ?? []).filter((other) => other !== owner);
      state.holds = state.holds.with({ ...known, owners: type === 'Left' ? others : [...others, owner] });
      return;
    }
    case 'Pinned': {
      const known = state.holds.get(fact.hold)!;
      const { quantity, until } = known;
      state.pending -= quantity;
      state.pinned += quantity;
      state.expiries = shifted(state.expiries, until, -quantity);
      state.doubts = shifted(state.doubts, fact.doubtAt, 1);
      state.holds = state.holds.with({ ...known, status: 'pinned', until: fact.doubtAt });
      return;
    }
    case 'Committed':
      end(state, state.holds.get(fact.hold)!, 'committed', fact.forgetAt);
      return;
    case 'Missed': {
      const { id, quantity, until } = state.holds.get(fact.hold)!;
      count(state, state.uncommitted - quantity);
      state.holds = state.holds.with({ id, quantity, status: 'committed', until });
      return;
    }
    case 'Released':
      end(state, state.holds.get(fact.hold)!, 'released', fact.forgetAt);
      return;
    case 'Elapsed':
      elapse(state, fact.until, fact.forgetAt);
      return;
    case 'Doubted': {
      const { at, again } = fact;
      const doubted = new Set(fact.holds);
      state.doubts = shifted(after(state.doubts, at), again, doubted.size);
      state.holds = state.holds.map((hold) =>
        doubted.has(hold.id) ? { ...hold, status: 'pinned', until: again } : hold,
      );
      state.asking = { at, holds: fact.holds };
    }
  }
};

export const evolveStock = (state: StockState, fact: StockFact): StockState => {
  const next = { ...state, seq: state.seq + 1 };
  happen(next, fact);
  return next;
};

/** What comes of many facts, without the states in between. */
export const evolveStockAll = (state: StockState, facts: readonly StockFact[]): StockState => {
  const next = { ...state, seq: state.seq + facts.length };
  for (const fact of facts) happen(next, fact);
  return next;
};

const firstOf = ([first]: readonly Cohort[]): number => first?.[0] ?? Number.POSITIVE_INFINITY;

/** When time alone changes something next. */
export const stockDueAt = ({ expiries, doubts, endings }: StockState): number | null => {
  const isMany = sumOf(endings, Number.POSITIVE_INFINITY) > MANY_ENDED;
  const at = Math.min(firstOf(expiries), firstOf(doubts), firstOf(endings) + (isMany ? 0 : FEW_KEPT_MS));
  return Number.isFinite(at) ? at : null;
};

/** What is held at this time, whether or not it was told that some of it expired. */
export const heldAt = ({ pending, pinned, expiries }: StockState, now: number): number =>
  pending + pinned - sumOf(expiries, now);

/** What can be held now; below 0 where more is held than there is. */
export const freeAt = (state: StockState, now: number): number =>
  state.level.onHand - Math.max(0, heldAt(state, now) - state.uncommitted);

/** Units that orders have taken, as far as is known here, without those that count as held. */
export const committedOf = ({ level, uncommitted }: StockState): number => level.allocated - uncommitted;
