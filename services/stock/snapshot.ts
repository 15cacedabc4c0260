// A variant's stock as its snapshot holds it: JSON.
import { HOLD_STATUSES, type Hold, Holds } from './hold.ts';
import type { StockState } from './stock.ts';

/** A column a field, since a snapshot names every hold of a variant in demand. A status is its place among all. */
interface HoldColumns {
  readonly ids: string[];
  readonly quantities: number[];
  readonly statuses: number[];
  readonly untils: number[];
  /** Of those that are shared, by id. */
  readonly owners: Record<string, readonly string[]>;
}

/** The state as JSON: its snapshot. */
export const writeStock = (state: StockState): string => {
  const ownersOf: Record<string, readonly string[]> = {};
  const kept: HoldColumns = { ids: [], quantities: [], statuses: [], untils: [], owners: ownersOf };
  for (const { id, quantity, status, until, owners } of state.holds.all()) {
    kept.ids.push(id);
    kept.quantities.push(quantity);
    kept.statuses.push(HOLD_STATUSES.indexOf(status));
    kept.untils.push(until);
    if (owners) ownersOf[id] = owners;
  }
  return JSON.stringify({ ...state, holds: kept });
};

export const readStock = (text: string): StockState => {
  const { holds, ...state }: Omit<StockState, 'holds'> & { readonly holds: HoldColumns } = JSON.parse(text);
  const held = holds.ids.map(
    (id, at): Hold => ({
      id,
      quantity: holds.quantities[at]!,
      status: HOLD_STATUSES[holds.statuses[at]!]!,
      until: holds.untils[at]!,
      ...(holds.owners[id] && { owners: holds.owners[id] }),
    }),
  );
  return { ...state, holds: Holds.of(held) };
};
