// Generated from stoa/v1/stock.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type StockLine = {
  variant_id: string;
  quantity: number;
};

/** @internal */
export type HoldStockRequest = {
  /** New for each attempt of a buyer, and the same in repetitions of one call. */
  hold_id: string;
  /** A variant named twice counts as one line. */
  lines: readonly StockLine[];
  /** Time by the tenant's clock, rounded up to whole seconds. */
  expires_at: string;
  /** Answers once every reader who requires `revision` sees the change. */
  settle?: boolean;
  /**
   * One of several concurrent calls that share the hold, which lasts until each holder has released it. Without holders a
   * hold ends with its first release.
   */
  holder?: string;
};

/** @internal */
export type HoldStockResponse = {
  hold_id: string;
  expires_at: string;
  /** 0 if the change is not visible yet; it will be within a second. */
  revision: number;
};

/** @internal */
export type ResizedLine = {
  variant_id: string;
  /** Units that the hold has now; 0 if the variant is no line of it. */
  before: number;
  /** Units that the hold is to have; 0 releases the line. */
  quantity: number;
};

/** @internal */
export type ResizeHoldRequest = {
  hold_id: string;
  /** Each variant once. */
  lines: readonly ResizedLine[];
  /** Time by the tenant's clock, rounded up to whole seconds. */
  expires_at: string;
  /** Answers once every reader who requires `revision` sees the change. */
  settle?: boolean;
};

/** @internal */
export type HoldName = {
  hold_id: string;
  /** The variants of all lines of the hold. */
  variant_ids: readonly string[];
};

/** @internal */
export type ReleaseHoldRequest = {
  hold: HoldName;
  /** Answers once every reader who requires `revision` sees the change. */
  settle?: boolean;
  /** The holder that releases the hold. Without it the hold ends for all holders. */
  holder?: string;
};

/** @internal */
export type CommitHoldsRequest = {
  holds: readonly HoldName[];
  /** Answers once every reader who requires `revision` sees the change. */
  settle?: boolean;
};

/** @internal */
export type CommitHoldsResponse = {
  /** 0 if the change is not visible yet; it will be within a second. */
  revision: number;
};

/** @internal */
export type HeldLine = {
  variant_id: string;
  /** `none` if the line was never held, or ended so long ago that it is forgotten. */
  status: "pending" | "committed" | "released" | "expired" | "none";
};

/** @internal */
export type HoldResponse = {
  hold_id: string;
  lines: readonly HeldLine[];
  /** 0 if the change is not visible yet; it will be within a second. */
  revision: number;
};

/** @internal */
export type ShowStockRequest = {
  variant_ids: readonly string[];
};

/** @internal */
export type ShowStockResponse = {
  /** Every reader who requires it sees the held units. 0 if that takes longer; they will within a second. */
  revision: number;
};

/** @internal */
export type LookAtStockRequest = {
  variant_ids: readonly string[];
};

/** @internal */
export type StockFigure = {
  variant_id: string;
  on_hand: number;
  held: number;
  /** On hand less held, never below 0. */
  available: number;
};

/** @internal */
export type LookAtStockResponse = {
  /** Unknown ids are left out. */
  levels: readonly StockFigure[];
};

/** @internal */
export type LevelsByIdsRequest = {
  variant_ids: readonly string[];
};

/** @internal */
export type VersionedLevel = {
  variant_id: string;
  on_hand: number;
  /** Counts the changes of `on_hand`. */
  version: number;
  /** Units that orders have allocated as of that version. */
  allocated: number;
};

/** @internal */
export type LevelsByIdsResponse = {
  levels: readonly VersionedLevel[];
};

/**
 * Units held as of the fact `seq` of the variant's actor.
 * @internal
 */
export type HeldFigure = {
  variant_id: string;
  held: number;
  seq: number;
  /** Units that orders have allocated, without those whose holds the actor has not committed yet. */
  committed: number;
};

/** @internal */
export type SettleLevelsRequest = {
  levels?: readonly HeldFigure[];
  wait?: boolean;
};

/** @internal */
export type SettleLevelsResponse = {
  revision: number;
};

/**
 * Holds on stock. A hold is pending → committed | released | expired. A hold may have many lines, which are held all or
 * none. Every call is idempotent by the hold's id: a caller that does not know the outcome repeats it.
 * @internal
 */
export interface StockRpcs {
  HoldStock: { request: HoldStockRequest; response: HoldStockResponse };
  CommitHolds: { request: CommitHoldsRequest; response: CommitHoldsResponse };
  ReleaseHold: { request: ReleaseHoldRequest; response: HoldResponse };
  ResizeHold: { request: ResizeHoldRequest; response: HoldStockResponse };
  ShowStock: { request: ShowStockRequest; response: ShowStockResponse };
  LookAtStock: { request: LookAtStockRequest; response: LookAtStockResponse };
}

/**
 * The catalogue's stock levels.
 * @internal
 */
export interface StockDirectoryRpcs {
  LevelsByIds: { request: LevelsByIdsRequest; response: LevelsByIdsResponse };
  StoredLevels: { request: LevelsByIdsRequest; response: LevelsByIdsResponse };
  SettleLevels: { request: SettleLevelsRequest; response: SettleLevelsResponse };
}
