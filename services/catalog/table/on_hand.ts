// SQL by which orders change units on hand, without a catalogue revision.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface MovedUnits {
  readonly variant: string;
  readonly quantity: number;
}

export interface LevelAfter {
  readonly variant_id: string;
  readonly on_hand: number;
  readonly version: number;
}

/** Subtracts units. A level that would fall below 0 stays unchanged and is missing from the result. */
export const takeOnHand = (sql: Sql, tenant: Tenant, taken: readonly MovedUnits[]): Promise<readonly LevelAfter[]> =>
  moveOnHand(
    sql,
    tenant,
    taken.map(({ variant, quantity }) => ({ variant, quantity: -quantity })),
  );

export const returnOnHand = (
  sql: Sql,
  tenant: Tenant,
  returned: readonly MovedUnits[],
): Promise<readonly LevelAfter[]> => moveOnHand(sql, tenant, returned);

/**
 * Adds or subtracts units. Locks rows in the order of variant ids, so that concurrent orders wait instead of
 * deadlocking. Units that an order takes were held for it: the statement also subtracts them from `held`, and adds them
 * to `allocated`, because the stock actor ends the hold only later. `on_hand_change` records the availability before
 * the first change until the catalogue has applied it.
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
