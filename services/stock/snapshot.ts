// Writes and reads the snapshot of a variant's stock, as JSON.
import { HOLD_STATUSES, type Hold, Holds } from './hold.ts';
import type { StockState } from './stock.ts';

/**
 * Holds as one array per field, which is smaller for thousands of holds. `statuses` contains indices of
 * `HOLD_STATUSES`.
 */
interface HoldColumns {
  readonly ids: string[];
  readonly quantities: number[];
  readonly statuses: number[];
  readonly untils: number[];
  readonly holdersByHold: Record<string, readonly string[]>;
}

export const writeStock = (state: StockState): string => {
  const holdersByHold: Record<string, readonly string[]> = {};
  const columns: HoldColumns = { ids: [], quantities: [], statuses: [], untils: [], holdersByHold };
  for (const { id, quantity, status, until, holders } of state.holds.all()) {
    columns.ids.push(id);
    columns.quantities.push(quantity);
    columns.statuses.push(HOLD_STATUSES.indexOf(status));
    columns.untils.push(until);
    if (holders) holdersByHold[id] = holders;
  }
  return JSON.stringify({ ...state, holds: columns });
};

export const readStock = (text: string): StockState => {
  const { holds, ...state }: Omit<StockState, 'holds'> & { readonly holds: HoldColumns } = JSON.parse(text);
  const held = holds.ids.map(
    (id, at): Hold => ({
      id,
      quantity: holds.quantities[at]!,
      status: HOLD_STATUSES[holds.statuses[at]!]!,
      until: holds.untils[at]!,
      ...(holds.holdersByHold[id] && { holders: holds.holdersByHold[id] }),
    }),
  );
  return { ...state, holds: Holds.of(held) };
};
