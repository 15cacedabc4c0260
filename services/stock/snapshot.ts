// A variant's stock as its snapshot holds it: JSON.
import { HOLD_STATUSES, type Hold, type HoldStatus, Holds } from './hold.ts';
import type { StockState } from './stock.ts';

/** A column a field, since a snapshot names every hold of a variant in demand. A status is its place among all. */
interface HoldColumns {
  readonly ids: string[];
  readonly quantities: number[];
  readonly statuses: number[];
  readonly untils: number[];
  /** Of those that are shared, by id; an earlier release keeps none. */
  readonly takers?: Record<string, readonly string[]>;
}

/** The state as JSON: its snapshot. */
export const writeStock = (state: StockState): string => {
  const takersOf: Record<string, readonly string[]> = {};
  const kept: HoldColumns = { ids: [], quantities: [], statuses: [], untils: [], takers: takersOf };
  for (const { id, quantity, status, until, takers } of state.holds.all()) {
    kept.ids.push(id);
    kept.quantities.push(quantity);
    kept.statuses.push(HOLD_STATUSES.indexOf(status));
    kept.untils.push(until);
    if (takers) takersOf[id] = takers;
  }
  return JSON.stringify({ ...state, holds: kept });
};

/** Snapshots of earlier releases have a tuple a hold, or leaves of a tree with such. */
type Tuple = readonly [id: string, quantity: number, status: HoldStatus, until: number];
type EarlierHolds =
  | readonly Tuple[]
  | { readonly holds: readonly Tuple[] }
  | { readonly nodes: readonly EarlierHolds[] };

const holdsOf = (kept: HoldColumns | EarlierHolds): readonly Hold[] => {
  if ('ids' in kept)
    return kept.ids.map((id, at) => ({
      id,
      quantity: kept.quantities[at]!,
      status: HOLD_STATUSES[kept.statuses[at]!]!,
      until: kept.untils[at]!,
      ...(kept.takers?.[id] && { takers: kept.takers[id] }),
    }));
  if ('nodes' in kept) return kept.nodes.flatMap(holdsOf);
  const tuples = 'holds' in kept ? kept.holds : kept;
  return tuples.map(([id, quantity, status, until]) => ({ id, quantity, status, until }));
};

export const readStock = (text: string): StockState => {
  const kept: Omit<StockState, 'holds'> & { readonly holds: HoldColumns | EarlierHolds } = JSON.parse(text);
  // An earlier release does not keep what it does not know of.
  const counted = kept.level.taken === undefined ? 0 : kept.counted;
  return { ...kept, counted, holds: Holds.of(holdsOf(kept.holds)) };
};
