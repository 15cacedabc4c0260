// The stock of one variant: units on hand, held and allocated, and the facts that change them. Pure.
//
// A quantity is requested, held for its buyer, allocated by the order's transaction in Postgres, and then committed here,
// which ends the hold. `release` gives a hold back instead.
//
// Postgres owns the number on hand and counts a `version` at each change. Commands that hold or commit bring a level along,
// and the newest version wins. A merchant who writes a level calls no actor.
//
// An order's transaction lowers the level before its hold is committed here. Until then its units are still held, though the
// level may be without them already. Each level therefore tells how many units orders have allocated in all. Units allocated
// between two levels are uncommitted here until holds of that many units are committed. If a hold ended before its order's
// commit arrived, that commit corrects the count.
import { type Hold, type HoldStatus, type Holds, NO_HOLDS } from './hold.ts';

/** A variant's row in Postgres; `allocated` counts all units that orders ever took. */
export interface StockLevel {
  readonly onHand: number;
  readonly version: number;
  readonly allocated: number;
}

/** Units, or a number of holds, that fall due at a time, in ms by the tenant's clock. */
export type Cohort = readonly [at: number, amount: number];

export interface StockState {
  readonly level: StockLevel;
  readonly pendingUnits: number;
  readonly pinnedUnits: number;
  /** Units that orders have allocated and no commit has ended the hold of: still held, no longer on hand. */
  readonly uncommittedUnits: number;
  readonly holds: Holds;
  readonly unitsByExpiry: readonly Cohort[];
  readonly pinnedByDecisionTime: readonly Cohort[];
  readonly endedByForgetTime: readonly Cohort[];
  /** Pinned holds whose orders were asked for a decision last. */
  readonly inDoubt: { readonly at: number; readonly holds: readonly string[] };
  /** Number of facts so far: orders reports of held units by age. */
  readonly seq: number;
}

export type StockFact =
  | ({ readonly type: 'LevelChanged' } & StockLevel)
  | {
      readonly type: 'Held';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly owner?: string;
    }
  | { readonly type: 'OwnerJoined' | 'OwnerLeft'; readonly hold: string; readonly owner: string }
  | { readonly type: 'Pinned'; readonly hold: string; readonly decisionDueAt: number }
  | { readonly type: 'Committed' | 'Released'; readonly hold: string; readonly forgetAt: number }
  /** The hold had expired or been released before its order's commit arrived. */
  | { readonly type: 'CommittedLate'; readonly hold: string }
  | { readonly type: 'Elapsed'; readonly until: number; readonly forgetAt: number }
  | {
      readonly type: 'DecisionRequested';
      readonly holds: readonly string[];
      readonly at: number;
      readonly nextAt: number;
    };

export type StockCommand =
  | { readonly type: 'Look'; readonly level: StockLevel | null }
  | {
      readonly type: 'Hold';
      /** New for each attempt of a buyer, and the same in its repetitions. */
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
      readonly pin?: boolean;
      readonly owner?: string | undefined;
    }
  | {
      readonly type: 'Resize';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
    }
  | { readonly type: 'Pin'; readonly hold: string }
  | { readonly type: 'Commit'; readonly holds: readonly string[]; readonly level: StockLevel }
  /** Without an owner the hold ends for all. */
  | { readonly type: 'Release'; readonly hold: string; readonly owner?: string | undefined }
  | { readonly type: 'Due' };

export interface StockAnswer {
  readonly onHand: number;
  readonly held: number;
  /** Units that can still be held; never negative. Uncommitted units are deducted once. */
  readonly available: number;
  readonly seq: number;
  readonly committed: number;
  /** The command's hold, the last of several; null if there is none: a `Hold` got null because stock is short. */
  readonly hold: {
    readonly status: HoldStatus;
    readonly quantity: number;
    readonly until: number;
    /** Created by this command, not by an earlier one with the same id. */
    readonly isNew: boolean;
  } | null;
}

export const SECOND_MS = 1_000;
/** Expiries are exact up to so many cohorts, then rounded up to whole seconds. */
export const EXACT_EXPIRIES_MAX = 32;
const FORGET_STEP_MS = 5_000;
/**
 * Ended holds are forgotten with the next command. Without one an alarm forgets many at once, and a few only after
 * `FEW_RETAINED_MS`: an alarm for each sale would write a record and a snapshot that change nothing.
 */
const MANY_ENDED = 64;
const FEW_RETAINED_MS = 4 * 60_000;

export const OWNERS_PER_HOLD_MAX = 1_000;

export const STOCK_TIMES = {
  /**
   * An ended hold is remembered longer than any call takes, so that a late Hold does not create it again. Most of the
   * snapshot of a variant in demand consists of these.
   */
  endedHoldRetentionMs: 15_000,
  decisionAfterPinMs: 60_000,
  decisionAgainMs: 30_000,
} as const;

export const UNKNOWN_LEVEL: StockLevel = { onHand: 0, version: 0, allocated: 0 };

export const NO_STOCK: StockState = {
  level: UNKNOWN_LEVEL,
  pendingUnits: 0,
  pinnedUnits: 0,
  uncommittedUnits: 0,
  holds: NO_HOLDS,
  unitsByExpiry: [],
  pinnedByDecisionTime: [],
  endedByForgetTime: [],
  inDoubt: { at: 0, holds: [] },
  seq: 0,
};

export const roundUpTo = (ms: number, step: number): number => Math.ceil(ms / step) * step;
export const forgetAt = (now: number): number => roundUpTo(now + STOCK_TIMES.endedHoldRetentionMs, FORGET_STEP_MS);

const sumUntil = (cohorts: readonly Cohort[], until: number): number => {
  let sum = 0;
  for (const [at, amount] of cohorts) {
    if (at > until) break;
    sum += amount;
  }
  return sum;
};

const laterThan = (cohorts: readonly Cohort[], until: number): readonly Cohort[] =>
  (cohorts[0]?.[0] ?? Number.POSITIVE_INFINITY) > until ? cohorts : cohorts.filter(([at]) => at > until);

const withAmount = (cohorts: readonly Cohort[], at: number, amount: number): readonly Cohort[] => {
  let index = cohorts.length;
  while (index > 0 && cohorts[index - 1]![0] >= at) index--;
  const current = cohorts[index];
  if (current?.[0] !== at) return amount === 0 ? cohorts : cohorts.toSpliced(index, 0, [at, amount]);
  const sum = current[1] + amount;
  if (sum === 0) return cohorts.toSpliced(index, 1);
  const changed = cohorts.slice();
  changed[index] = [at, sum];
  return changed;
};

type MutableState = { -readonly [Field in keyof StockState]: StockState[Field] };

/** Bounded by the held units, so that the count recovers after holds or a database were lost. */
const setUncommitted = (state: MutableState, units: number): void => {
  state.uncommittedUnits = Math.min(Math.max(0, units), state.pendingUnits + state.pinnedUnits);
};

const applyLevel = (state: MutableState, { onHand, version, allocated }: StockLevel): void => {
  // Orders before an actor's first level were never held here.
  setUncommitted(
    state,
    state.level.version === UNKNOWN_LEVEL.version ? 0 : state.uncommittedUnits + allocated - state.level.allocated,
  );
  state.level = { onHand, version, allocated };
};

const endHold = (state: MutableState, hold: Hold, status: HoldStatus, until: number): void => {
  const { id, quantity } = hold;
  if (hold.status === 'pinned') {
    state.pinnedUnits -= quantity;
    state.pinnedByDecisionTime = withAmount(state.pinnedByDecisionTime, hold.until, -1);
  } else {
    state.pendingUnits -= quantity;
    state.unitsByExpiry = withAmount(state.unitsByExpiry, hold.until, -quantity);
  }
  setUncommitted(state, status === 'committed' ? state.uncommittedUnits - quantity : state.uncommittedUnits);
  state.endedByForgetTime = withAmount(state.endedByForgetTime, until, 1);
  state.holds = state.holds.with({ id, quantity, status, until });
  const { inDoubt } = state;
  if (inDoubt.holds.includes(id)) state.inDoubt = { ...inDoubt, holds: inDoubt.holds.filter((other) => other !== id) };
};

const expireHolds = (state: MutableState, now: number, forgottenAt: number): void => {
  let expired = 0;
  state.holds = state.holds.map((hold) => {
    const { id, quantity, status, until } = hold;
    if (status === 'pinned' || until > now) return hold;
    if (status !== 'pending') return null;
    expired++;
    return { id, quantity, status: 'expired', until: forgottenAt };
  });
  state.pendingUnits -= sumUntil(state.unitsByExpiry, now);
  state.unitsByExpiry = laterThan(state.unitsByExpiry, now);
  setUncommitted(state, state.uncommittedUnits);
  state.endedByForgetTime = withAmount(laterThan(state.endedByForgetTime, now), forgottenAt, expired);
};

const applyFact = (state: MutableState, fact: StockFact): void => {
  switch (fact.type) {
    case 'LevelChanged':
      applyLevel(state, fact);
      return;
    case 'Held': {
      const { hold, quantity, expiresAt, owner } = fact;
      state.pendingUnits += quantity;
      state.unitsByExpiry = withAmount(state.unitsByExpiry, expiresAt, quantity);
      const owners = owner === undefined ? {} : { owners: [owner] };
      state.holds = state.holds.with({ id: hold, quantity, status: 'pending', until: expiresAt, ...owners });
      return;
    }
    case 'OwnerJoined':
    case 'OwnerLeft': {
      const { type, hold, owner } = fact;
      const current = state.holds.get(hold)!;
      const others = (current.owners ?? []).filter((other) => other !== owner);
      state.holds = state.holds.with({ ...current, owners: type === 'OwnerLeft' ? others : [...others, owner] });
      return;
    }
    case 'Pinned': {
      const current = state.holds.get(fact.hold)!;
      const { quantity, until } = current;
      state.pendingUnits -= quantity;
      state.pinnedUnits += quantity;
      state.unitsByExpiry = withAmount(state.unitsByExpiry, until, -quantity);
      state.pinnedByDecisionTime = withAmount(state.pinnedByDecisionTime, fact.decisionDueAt, 1);
      state.holds = state.holds.with({ ...current, status: 'pinned', until: fact.decisionDueAt });
      return;
    }
    case 'Committed':
      endHold(state, state.holds.get(fact.hold)!, 'committed', fact.forgetAt);
      return;
    case 'CommittedLate': {
      const { id, quantity, until } = state.holds.get(fact.hold)!;
      setUncommitted(state, state.uncommittedUnits - quantity);
      state.holds = state.holds.with({ id, quantity, status: 'committed', until });
      return;
    }
    case 'Released':
      endHold(state, state.holds.get(fact.hold)!, 'released', fact.forgetAt);
      return;
    case 'Elapsed':
      expireHolds(state, fact.until, fact.forgetAt);
      return;
    case 'DecisionRequested': {
      const { at, nextAt } = fact;
      const asked = new Set(fact.holds);
      state.pinnedByDecisionTime = withAmount(laterThan(state.pinnedByDecisionTime, at), nextAt, asked.size);
      state.holds = state.holds.map((hold) =>
        asked.has(hold.id) ? { ...hold, status: 'pinned', until: nextAt } : hold,
      );
      state.inDoubt = { at, holds: fact.holds };
    }
  }
};

export const evolveStock = (state: StockState, fact: StockFact): StockState => {
  const next = { ...state, seq: state.seq + 1 };
  applyFact(next, fact);
  return next;
};

export const evolveStockAll = (state: StockState, facts: readonly StockFact[]): StockState => {
  const next = { ...state, seq: state.seq + facts.length };
  for (const fact of facts) applyFact(next, fact);
  return next;
};

const firstOf = ([first]: readonly Cohort[]): number => first?.[0] ?? Number.POSITIVE_INFINITY;

export const stockDueAt = ({ unitsByExpiry, pinnedByDecisionTime, endedByForgetTime }: StockState): number | null => {
  const isMany = sumUntil(endedByForgetTime, Number.POSITIVE_INFINITY) > MANY_ENDED;
  const at = Math.min(
    firstOf(unitsByExpiry),
    firstOf(pinnedByDecisionTime),
    firstOf(endedByForgetTime) + (isMany ? 0 : FEW_RETAINED_MS),
  );
  return Number.isFinite(at) ? at : null;
};

export const heldUnitsAt = ({ pendingUnits, pinnedUnits, unitsByExpiry }: StockState, now: number): number =>
  pendingUnits + pinnedUnits - sumUntil(unitsByExpiry, now);

/** Negative if more is held than there is. */
export const availableUnitsAt = (state: StockState, now: number): number =>
  state.level.onHand - Math.max(0, heldUnitsAt(state, now) - state.uncommittedUnits);

export const committedUnitsOf = ({ level, uncommittedUnits }: StockState): number => level.allocated - uncommittedUnits;
