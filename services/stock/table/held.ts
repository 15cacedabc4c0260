// What actors hold, put down where the catalogue takes it in.
import type { ProjectedActor } from '#runtime/actor/kind.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { committedOf, type StockState } from '#services/stock/stock.ts';

/**
 * In the order in which everybody writes these rows; what the catalogue has already is left out. It waits for no lock but
 * that of a catalogue that is just done with the row.
 */
export const saveHeld = async (sql: Sql, actors: readonly ProjectedActor<StockState>[]): Promise<void> => {
  await sql`
    insert into catalog.held_change as waiting (store, environment, variant_id, held, seq, committed)
    select told.store, told.environment, told.variant_id, told.held, told.seq, told.committed
    from unnest(${actors.map(({ tenant }) => tenant.store)}::uuid[],
      ${actors.map(({ tenant }) => tenant.environment)}::text[], ${actors.map(({ id }) => id)}::uuid[],
      ${actors.map(({ state }) => state.pending + state.pinned)}::integer[],
      ${actors.map(({ state }) => state.seq)}::bigint[], ${actors.map(({ state }) => committedOf(state))}::bigint[]
    ) as told (store, environment, variant_id, held, seq, committed)
    cross join lateral (
      select 1 from catalog.inventory as level
      where level.store = told.store and level.environment = told.environment and level.variant_id = told.variant_id
        and level.held_seq < told.seq offset 0
    ) as known
    order by told.store, told.environment, told.variant_id
    on conflict (store, environment, variant_id) do update
      set held = excluded.held, seq = excluded.seq, committed = excluded.committed
      where waiting.seq < excluded.seq`;
};
