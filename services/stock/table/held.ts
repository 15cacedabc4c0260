// Writes the units that stock actors hold to the catalogue's `held_change`.
import type { ProjectedActor } from '#runtime/actor/kind.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { committedUnitsOf, type StockState } from '#services/stock/stock.ts';

/**
 * Rows are written in the order in which every writer locks them. Counts that the catalogue has already are left out. A
 * statement waits only for a catalogue transaction that is about to end.
 */
export const saveHeld = async (sql: Sql, actors: readonly ProjectedActor<StockState>[]): Promise<void> => {
  await sql`
    insert into catalog.held_change as waiting (store, environment, variant_id, held, seq, committed)
    select reported.store, reported.environment, reported.variant_id, reported.held, reported.seq, reported.committed
    from unnest(${actors.map(({ tenant }) => tenant.store)}::uuid[],
      ${actors.map(({ tenant }) => tenant.environment)}::text[], ${actors.map(({ id }) => id)}::uuid[],
      ${actors.map(({ state }) => state.pendingUnits + state.pinnedUnits)}::integer[],
      ${actors.map(({ state }) => state.seq)}::bigint[], ${actors.map(({ state }) => committedUnitsOf(state))}::bigint[]
    ) as reported (store, environment, variant_id, held, seq, committed)
    cross join lateral (
      select 1 from catalog.inventory as level
      where level.store = reported.store and level.environment = reported.environment and level.variant_id = reported.variant_id
        and level.held_seq < reported.seq offset 0
    ) as known
    order by reported.store, reported.environment, reported.variant_id
    on conflict (store, environment, variant_id) do update
      set held = excluded.held, seq = excluded.seq, committed = excluded.committed
      where waiting.seq < excluded.seq`;
};
