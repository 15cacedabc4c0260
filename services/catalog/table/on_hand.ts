// SQL of units on hand, as orders move them without a catalogue revision.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface MovedUnits {
  readonly variant: string;
  readonly quantity: number;
}

/** A level as its stock actor is given it. */
export interface LevelAfter {
  readonly variant_id: string;
  readonly on_hand: number;
  readonly version: number;
}

/** Lowers levels. A level that would fall below 0 is left as it is, and is missing in the answer. */
export const takeOnHand = (sql: Sql, tenant: Tenant, taken: readonly MovedUnits[]): Promise<readonly LevelAfter[]> =>
  moveOnHand(
    sql,
    tenant,
    taken.map(({ variant, quantity }) => ({ variant, quantity: -quantity })),
  );

/** Raises levels by units of cancelled orders, and by returned units that can be sold again. */
export const returnOnHand = (
  sql: Sql,
  tenant: Tenant,
  returned: readonly MovedUnits[],
): Promise<readonly LevelAfter[]> => moveOnHand(sql, tenant, returned);

/**
 * Rows are locked by variant id everywhere, so that two orders wait for each other instead of deadlocking. Units that an
 * order takes were held for it, so they leave `held` in the same statement and are missing once in all that is shown;
 * `allocated` counts them for the stock actor, which ends the hold later. The level waits in `on_hand_change`, with what could
 * be bought before its first move, until the catalogue takes it in.
 */
const moveOnHand = async (
  sql: Sql,
  { store, environment }: Tenant,
  moves: readonly MovedUnits[],
): Promise<readonly LevelAfter[]> => {
  if (moves.length === 0) return [];
  return sql<LevelAfter[]>`
    with before as (
      select i.variant_id, i.on_hand, i.held, m.quantity
      from (
        select variant_id, sum(quantity)::integer as quantity
        from unnest(${moves.map(({ variant }) => variant)}::uuid[], ${moves.map(({ quantity }) => quantity)}::integer[])
          as moves (variant_id, quantity)
        group by variant_id
      ) as m
      join catalog.inventory i on i.store = ${store} and i.environment = ${environment} and i.variant_id = m.variant_id
      order by i.variant_id for no key update of i
    ), moved as (
      update catalog.inventory i set on_hand = i.on_hand + before.quantity, version = i.version + 1,
        allocated = i.allocated + greatest(-before.quantity, 0), held = greatest(i.held - greatest(-before.quantity, 0), 0)
      from before
      where i.store = ${store} and i.environment = ${environment} and i.variant_id = before.variant_id
        and i.on_hand + before.quantity >= 0
      returning i.variant_id, i.on_hand, i.version
    ), noted as (
      insert into catalog.on_hand_change (store, environment, variant_id, before)
      select ${store}, ${environment}, moved.variant_id, greatest(before.on_hand - before.held, 0)
      from moved join before using (variant_id)
      on conflict (store, environment, variant_id) do nothing
    )
    select variant_id, on_hand, version from moved`;
};
