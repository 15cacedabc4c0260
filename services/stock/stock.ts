// The stock of one variant: units on hand, held and allocated, and the facts that change them. Pure.
//
// A quantity is requested, held for its buyer, allocated by the order's transaction in Postgres, and then committed
// here, which ends the hold. `release` gives a hold back instead.
//
// Postgres owns the level on hand and raises its `version` with each change. Commands that hold or commit carry a
// level; the actor keeps the one with the newest version. A merchant's change of a level calls no actor.
//
// An order's transaction lowers the level before its hold is committed here. In between its units are still held,
// although the level may already exclude them. Each level therefore contains the total of units that orders have ever
// allocated. If the total rises from one level to the next, the difference is uncommitted here until holds of that many
// units are committed. A commit that arrives after its hold has ended corrects the count, too.
import { type Hold, type HoldStatus, type Holds, NO_HOLDS } from './hold.ts';

/** A variant's level in Postgres. `allocated` is the total of all units that orders ever allocated. */
export interface StockLevel {
  readonly onHand: number;
  readonly version: number;
  readonly allocated: number;
}

/** Number of units or holds that are due at `at`, in ms by the tenant's clock. */
export type Cohort = readonly [at: number, amount: number];

export interface StockState {
  readonly level: StockLevel;
  readonly pendingUnits: number;
  readonly pinnedUnits: number;
  /** Units that orders have allocated but whose holds are not committed yet: still held here, no longer on hand. */
  readonly uncommittedUnits: number;
  readonly holds: Holds;
  readonly unitsByExpiry: readonly Cohort[];
  readonly pinnedByDecisionTime: readonly Cohort[];
  readonly endedByForgetTime: readonly Cohort[];
  /** Pinned holds whose orders were last asked for a decision, and when. */
  readonly inDoubt: { readonly at: number; readonly holds: readonly string[] };
  /** Number of facts so far, by which readers tell the newer of two reports. */
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
  /** Commit of an order whose hold had already expired or been released. */
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
      /** Id of the hold: new for each attempt of a buyer, equal in retries. */
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
  /** Releases the owner's share; without an owner, the hold of all owners. */
  | { readonly type: 'Release'; readonly hold: string; readonly owner?: string | undefined }
  | { readonly type: 'Due' };

export interface StockAnswer {
  readonly onHand: number;
  readonly held: number;
  /** Units that can still be held; never negative. Uncommitted units are deducted once, from the level on hand. */
  readonly available: number;
  readonly seq: number;
  readonly committed: number;
  /** The last hold that the command names; null if there is none. After a `Hold` null means that stock is short. */
  readonly hold: {
    readonly status: HoldStatus;
    readonly quantity: number;
    readonly until: number;
    /** True if this command created the hold, false if an earlier one with the same id did. */
    readonly isNew: boolean;
  } | null;
}

export const SECOND_MS = 1_000;
/** Number of exact expiry times; further expiries are rounded up to whole seconds. */
export const EXACT_EXPIRIES_MAX = 32;
const FORGET_STEP_MS = 5_000;
/**
 * Number of ended holds that sets an alarm to forget them. Fewer are forgotten by the next command, or after
 * `FEW_RETAINED_MS`: an alarm after every sale would write a record and a snapshot for nothing.
 */
const MANY_ENDED = 64;
const FEW_RETAINED_MS = 4 * 60_000;

export const OWNERS_PER_HOLD_MAX = 1_000;

export const STOCK_TIMES = {
  /**
   * Exceeds the duration of any call, so that a late `Hold` command does not create an ended hold again. Longer
   * retention would bloat snapshots, since ended holds make up most of a popular variant's.
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

/** Sets the count, limited to the held units, so that it becomes correct again after holds or a database were lost. */
const setUncommitted = (state: MutableState, units: number): void => {
  state.uncommittedUnits = Math.min(Math.max(0, units), state.pendingUnits + state.pinnedUnits);
};

const applyLevel = (state: MutableState, { onHand, version, allocated }: StockLevel): void => {
  // Units that orders allocated before this actor's first level were never held here.
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

/** Returns the units on hand less the held ones; negative if more are held than on hand. */
export const availableUnitsAt = (state: StockState, now: number): number =>
  state.level.onHand - Math.max(0, heldUnitsAt(state, now) - state.uncommittedUnits);

export const committedUnitsOf = ({ level, uncommittedUnits }: StockState): number => level.allocated - uncommittedUnits;
