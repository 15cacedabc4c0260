// The stock of one variant: units on hand, held and allocated, and the facts that change them. Pure.
//
// Commands are decided in decision.ts; the steps of an order, over several variants, are in rpc.ts.
//
// A pending hold expires. An order allocates its units in Postgres, then commits the hold, which ends it. `Release` ends a
// hold without an order. A commit that comes late finds a hold that has expired or was released.
//
// Postgres owns the level: the number on hand, a version, and the total of units that orders have allocated. Commands bring
// the level that they read along, and the newest version wins. A merchant who changes the level calls no actor.
//
// An order lowers the level before its hold is committed. Until the commit the units are uncommitted: no longer on hand,
// but still held, so they are deducted once. The uncommitted count rises by the units that orders have allocated since the
// level before. Each commit lowers that count, even if the hold has already ended.
//
// Example: 3 of 10 units are held, so 7 are available. An order allocates the 3 units. The level then says 7 on hand and 3
// allocated; 3 units are held and uncommitted. The commit ends the hold: none are held or uncommitted. Throughout, 7 units
// are available.
import { type Hold, type HoldPlace, type HoldStatus, type Holds, NO_HOLDS } from './hold.ts';

/** A variant's row in Postgres. `allocated` is the running total of units that orders have allocated. */
export interface StockLevel {
  readonly onHand: number;
  readonly version: number;
  readonly allocated: number;
}

/** All units (or all holds, in fields that count holds) that fall due at the same time, in ms by the tenant's clock. */
export type Cohort = readonly [at: number, amount: number];

export interface StockState {
  readonly level: StockLevel;
  readonly heldUnits: number;
  /** Held units that orders have allocated, so that `level.onHand` is already without them. */
  readonly uncommittedUnits: number;
  readonly holds: Holds;
  readonly unitsByExpiry: readonly Cohort[];
  readonly endedCountByForgetTime: readonly Cohort[];
  /** Number of facts so far. The catalogue ignores a report of held units with a lower number than its latest. */
  readonly seq: number;
}

export type StockFact =
  | ({ readonly type: 'LevelChanged' } & StockLevel)
  | {
      readonly type: 'Held';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly holder?: string;
    }
  | { readonly type: 'HolderJoined' | 'HolderLeft'; readonly hold: string; readonly holder: string }
  | { readonly type: 'Committed' | 'Released'; readonly hold: string; readonly forgetAt: number }
  /** Commit of an order whose hold had already expired or been released. */
  | { readonly type: 'CommittedLate'; readonly hold: string }
  | { readonly type: 'Elapsed'; readonly now: number; readonly forgetAt: number };

export type StockCommand =
  | { readonly type: 'Look'; readonly level: StockLevel | null }
  | { readonly type: 'ListHolds'; readonly after: HoldPlace | null; readonly limit: number }
  | {
      readonly type: 'Hold';
      /** Id of the hold: new for each attempt of a buyer, equal in retries. */
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
      readonly holder?: string | undefined;
    }
  | {
      readonly type: 'Resize';
      readonly hold: string;
      readonly quantity: number;
      readonly expiresAt: number;
      readonly level: StockLevel;
    }
  | { readonly type: 'Commit'; readonly holds: readonly string[]; readonly level: StockLevel }
  /** Without `holder` the hold ends for all its holders. */
  | { readonly type: 'Release'; readonly hold: string; readonly holder?: string | undefined }
  | { readonly type: 'Due' };

export interface StockAnswer {
  readonly onHand: number;
  readonly held: number;
  /** Units that can still be held; never negative. Uncommitted units are deducted once, from the level on hand. */
  readonly available: number;
  readonly seq: number;
  /** Running total of allocated units whose holds are committed. */
  readonly committedUnits: number;
  /** The command's hold, the last of several; null if there is none: a `Hold` got null because stock is short. */
  readonly hold: {
    readonly status: HoldStatus;
    readonly quantity: number;
    readonly until: number;
    /** True if this command created the hold, false if an earlier one with the same id did. */
    readonly isNew: boolean;
  } | null;
  /** Answer of `ListHolds`. */
  readonly holds?: readonly Hold[];
}

export const SECOND_MS = 1_000;
/** Number of exact expiry times; further expiries are rounded up to whole seconds. */
export const EXACT_EXPIRIES_MAX = 32;
const FORGET_STEP_MS = 5_000;
/**
 * Number of ended holds above which the actor's alarm (`stockDueAt`) rings as soon as the first ended hold may be
 * forgotten.
 */
const MANY_ENDED = 64;
/**
 * Delay of that alarm with fewer ended holds. Commands mostly forget them before, and an alarm after each sale would write a
 * record and a snapshot that change nothing else.
 */
const FEW_RETAINED_MS = 4 * 60_000;

export const HOLDERS_PER_HOLD_MAX = 1_000;

export const STOCK_TIMES = {
  /**
   * Longer than any call, so that a late `Hold` command cannot recreate an ended hold. No longer than that, because
   * ended holds make up most of the snapshot of a popular variant.
   */
  endedHoldRetentionMs: 15_000,
  /**
   * Longer for an expired hold, because its commit may still arrive, minutes late after a crash. The late commit lowers
   * `uncommittedUnits` only while the hold is known. A longer retention is avoided, because each retry of an order may
   * leave an expired hold.
   */
  expiredHoldRetentionMs: 5 * 60_000,
} as const;

export const UNKNOWN_LEVEL: StockLevel = { onHand: 0, version: 0, allocated: 0 };

export const NO_STOCK: StockState = {
  level: UNKNOWN_LEVEL,
  heldUnits: 0,
  uncommittedUnits: 0,
  holds: NO_HOLDS,
  unitsByExpiry: [],
  endedCountByForgetTime: [],
  seq: 0,
};

export const roundUpTo = (ms: number, step: number): number => Math.ceil(ms / step) * step;
export const forgetAt = (now: number, retentionMs: number = STOCK_TIMES.endedHoldRetentionMs): number =>
  roundUpTo(now + retentionMs, FORGET_STEP_MS);

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

const plusAmount = (cohorts: readonly Cohort[], at: number, amount: number): readonly Cohort[] => {
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

/**
 * Keeps the count between 0 and the held units, so that the count recovers from a data loss: lost holds are never
 * committed, and a restored database has allocated fewer units.
 */
const setUncommitted = (state: MutableState, units: number): void => {
  state.uncommittedUnits = Math.min(Math.max(0, units), state.heldUnits);
};

const applyLevel = (state: MutableState, { onHand, version, allocated }: StockLevel): void => {
  // The units allocated up to an actor's first level were never held by this actor.
  setUncommitted(
    state,
    state.level.version === UNKNOWN_LEVEL.version ? 0 : state.uncommittedUnits + allocated - state.level.allocated,
  );
  state.level = { onHand, version, allocated };
};

const endHold = (state: MutableState, hold: Hold, status: HoldStatus, until: number): void => {
  const { id, quantity } = hold;
  state.heldUnits -= quantity;
  state.unitsByExpiry = plusAmount(state.unitsByExpiry, hold.until, -quantity);
  setUncommitted(state, status === 'committed' ? state.uncommittedUnits - quantity : state.uncommittedUnits);
  state.endedCountByForgetTime = plusAmount(state.endedCountByForgetTime, until, 1);
  state.holds = state.holds.with({ id, quantity, status, until });
};

const expireAndForgetHolds = (state: MutableState, now: number, forgottenAt: number): void => {
  let expired = 0;
  state.holds = state.holds.map((hold) => {
    const { id, quantity, status, until } = hold;
    if (until > now) return hold;
    if (status !== 'pending') return null;
    expired++;
    return { id, quantity, status: 'expired', until: forgottenAt };
  });
  state.heldUnits -= sumUntil(state.unitsByExpiry, now);
  state.unitsByExpiry = laterThan(state.unitsByExpiry, now);
  setUncommitted(state, state.uncommittedUnits);
  state.endedCountByForgetTime = plusAmount(laterThan(state.endedCountByForgetTime, now), forgottenAt, expired);
};

const applyFact = (state: MutableState, fact: StockFact): void => {
  switch (fact.type) {
    case 'LevelChanged':
      applyLevel(state, fact);
      return;
    case 'Held': {
      const { hold, quantity, expiresAt, holder } = fact;
      state.heldUnits += quantity;
      state.unitsByExpiry = plusAmount(state.unitsByExpiry, expiresAt, quantity);
      const holders = holder === undefined ? {} : { holders: [holder] };
      state.holds = state.holds.with({ id: hold, quantity, status: 'pending', until: expiresAt, ...holders });
      return;
    }
    case 'HolderJoined':
    case 'HolderLeft': {
      const { type, hold, holder } = fact;
      const current = state.holds.get(hold)!;
      const others = (current.holders ?? []).filter((other) => other !== holder);
      state.holds = state.holds.with({ ...current, holders: type === 'HolderLeft' ? others : [...others, holder] });
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
      expireAndForgetHolds(state, fact.now, fact.forgetAt);
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

export const stockDueAt = ({ unitsByExpiry, endedCountByForgetTime }: StockState): number | null => {
  const isMany = sumUntil(endedCountByForgetTime, Number.POSITIVE_INFINITY) > MANY_ENDED;
  const at = Math.min(firstOf(unitsByExpiry), firstOf(endedCountByForgetTime) + (isMany ? 0 : FEW_RETAINED_MS));
  return Number.isFinite(at) ? at : null;
};

export const heldUnitsAt = ({ heldUnits, unitsByExpiry }: StockState, now: number): number =>
  heldUnits - sumUntil(unitsByExpiry, now);

export const availableUnitsAt = (state: StockState, now: number): number =>
  state.level.onHand - Math.max(0, heldUnitsAt(state, now) - state.uncommittedUnits);

export const committedUnitsOf = ({ level, uncommittedUnits }: StockState): number => level.allocated - uncommittedUnits;
