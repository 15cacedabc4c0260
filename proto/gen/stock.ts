// Generated from stoa/v1/stock.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type StockLine = {
  variant_id: string;
  quantity: number;
};

/** @internal */
export type HoldStockRequest = {
  /** New for each try of a buyer, and the same for the repetitions of one call. */
  hold_id: string;
  /** A variant named twice counts as one line. */
  lines: readonly StockLine[];
  /** Time by the tenant's clock, rounded up to whole seconds. */
  expires_at: string;
  /** Answer once every reader who asks for `revision` sees it. */
  settle?: boolean;
  /** Each line is pinned as it is held. */
  pin?: boolean;
  /**
   * Names one of several attempts that share the hold: the hold lasts until each of them has released it. Left out: one
   * release ends the hold.
   */
  taker?: string;
};

/** @internal */
export type HoldStockResponse = {
  hold_id: string;
  expires_at: string;
  /** 0 where it is not settled (yet): it will be within a second. */
  revision: number;
};

/** @internal */
export type ResizedLine = {
  variant_id: string;
  /** The hold's present quantity; 0 when it has none. */
  before: number;
  /** The hold's new quantity; 0 releases the line. */
  quantity: number;
};

/** @internal */
export type ResizeHoldRequest = {
  hold_id: string;
  /** Each variant once. */
  lines: readonly ResizedLine[];
  /** Time by the tenant's clock, rounded up to whole seconds. */
  expires_at: string;
  /** Answer once every reader who asks for `revision` sees it. */
  settle?: boolean;
};

/** @internal */
export type HoldName = {
  hold_id: string;
  /** The variants of all its lines. */
  variant_ids: readonly string[];
};

/** @internal */
export type NameHoldRequest = {
  hold: HoldName;
  /** Answer once every reader who asks for `revision` sees it. */
  settle?: boolean;
};

/** @internal */
export type ReleaseHoldRequest = {
  hold: HoldName;
  /** Answer once every reader who asks for `revision` sees it. */
  settle?: boolean;
  /** The attempt that releases the hold. Left out: the hold ends for all of them. */
  taker?: string;
};

/** @internal */
export type CommitHoldsRequest = {
  holds: readonly HoldName[];
  /** Answer once every reader who asks for `revision` sees it. */
  settle?: boolean;
};

/** @internal */
export type CommitHoldsResponse = {
  /** 0 where it is not settled (yet): it will be within a second. */
  revision: number;
};

/** @internal */
export type HeldLine = {
  variant_id: string;
  /** `none`: never held, or ended so long ago that it is forgotten. */
  status: "pending" | "pinned" | "committed" | "released" | "expired" | "none";
};

/** @internal */
export type HoldResponse = {
  hold_id: string;
  lines: readonly HeldLine[];
  /** 0 where it is not settled (yet): it will be within a second. */
  revision: number;
};

/** @internal */
export type ShowStockRequest = {
  variant_ids: readonly string[];
};

/** @internal */
export type ShowStockResponse = {
  /** Readers who ask for this revision see the held quantity; 0 when that takes longer, a second at most. */
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
  /** Pieces that orders have taken as of that version. */
  taken: number;
};

/** @internal */
export type LevelsByIdsResponse = {
  levels: readonly VersionedLevel[];
};

/**
 * Pieces held as of a fact of the variant's actor.
 * @internal
 */
export type HeldFigure = {
  variant_id: string;
  held: number;
  seq: number;
  /** Pieces that orders have taken as far as the actor knows, without those that it counts as held. */
  sold: number;
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
 * A call from the stock domain to the domain that decides about a pinned hold: `OrderDecision/AbortHold`. `AbortHold`
 * writes an `abort` decision for the hold unless one was written; the first to write decides.
 * @internal
 */
export type AbortHoldRequest = {
  hold_id?: string;
};

/** @internal */
export type AbortHoldResponse = {
  decision: "aborted" | "committed";
};

/**
 * Holds on stock. A hold is pending → pinned → committed | released, or pending → released | expired. A hold may have
 * many lines, which are held all or none. Every call is idempotent by the hold's id: after an unknown outcome the
 * caller repeats it.
 * @internal
 */
export interface StockRpcs {
  HoldStock: { request: HoldStockRequest; response: HoldStockResponse };
  PinHold: { request: NameHoldRequest; response: HoldResponse };
  CommitHolds: { request: CommitHoldsRequest; response: CommitHoldsResponse };
  ReleaseHold: { request: ReleaseHoldRequest; response: HoldResponse };
  ResizeHold: { request: ResizeHoldRequest; response: HoldStockResponse };
  ShowStock: { request: ShowStockRequest; response: ShowStockResponse };
  LookAtStock: { request: LookAtStockRequest; response: LookAtStockResponse };
}

/**
 * Levels as the catalogue keeps them.
 * @internal
 */
export interface StockDirectoryRpcs {
  LevelsByIds: { request: LevelsByIdsRequest; response: LevelsByIdsResponse };
  StoredLevels: { request: LevelsByIdsRequest; response: LevelsByIdsResponse };
  SettleLevels: { request: SettleLevelsRequest; response: SettleLevelsResponse };
}
