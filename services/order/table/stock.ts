// SQL of what is on hand, as an order moves it within its own transaction: the last line against selling what is not there.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface TakenStock {
  readonly variant: string;
  readonly quantity: number;
}

/** As its stock actor is told. */
export interface LevelAfter {
  readonly variant_id: string;
  readonly on_hand: number;
  readonly version: number;
}

/**
 * Lowers what is on hand; a level that would fall below 0 is left as it is, and missing in the answer. Rows are locked in
 * one order everywhere, so that two orders wait for each other instead of locking each other out.
 */
export const takeStock = (sql: Sql, tenant: Tenant, taken: readonly TakenStock[]): Promise<readonly LevelAfter[]> =>
  move(
    sql,
    tenant,
    taken.map(({ variant, quantity }) => ({ variant, quantity: -quantity })),
  );

/** Raises it again: a cancelled order's, or what came back and can be sold again. */
export const returnStock = (
  sql: Sql,
  tenant: Tenant,
  returned: readonly TakenStock[],
): Promise<readonly LevelAfter[]> => move(sql, tenant, returned);

const move = async (
  sql: Sql,
  { store, environment }: Tenant,
  moves: readonly TakenStock[],
): Promise<readonly LevelAfter[]> => {
  if (moves.length === 0) return [];
  return sql<LevelAfter[]>`
    with wanted as (
      select i.variant_id, m.quantity
      from unnest(${moves.map(({ variant }) => variant)}::uuid[], ${moves.map(({ quantity }) => quantity)}::integer[])
        as m (variant_id, quantity)
      join catalog.inventory i on i.store = ${store} and i.environment = ${environment} and i.variant_id = m.variant_id
      order by i.variant_id for no key update of i
    )
    update catalog.inventory i set on_hand = i.on_hand + wanted.quantity
    from wanted
    where i.store = ${store} and i.environment = ${environment} and i.variant_id = wanted.variant_id
      and i.on_hand + wanted.quantity >= 0
    returning i.variant_id, i.on_hand, i.version`;
};
