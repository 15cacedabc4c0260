// The actor kind of stock, one actor for each variant. The projection writes held units to the catalogue.

import type { ActorKind, ProjectedActor } from '#runtime/actor/kind.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { decideStock } from './decision.ts';
import { readStock, writeStock } from './snapshot.ts';
import {
  committedUnitsOf,
  evolveStock,
  evolveStockAll,
  NO_STOCK,
  type StockAnswer,
  type StockCommand,
  type StockFact,
  type StockState,
  stockDueAt,
} from './stock.ts';

/**
 * Writes rows in the sequence in which all writers lock them. Skips counts that the catalogue already has. Waits only
 * for catalogue transactions that are about to end.
 */
const saveHeld = async (sql: Sql, actors: readonly ProjectedActor<StockState>[]): Promise<void> => {
  await sql`
    insert into catalog.held_change as waiting (store, environment, variant_id, held, seq, committed)
    select reported.store, reported.environment, reported.variant_id, reported.held, reported.seq, reported.committed
    from unnest(${actors.map(({ tenant }) => tenant.store)}::uuid[],
      ${actors.map(({ tenant }) => tenant.environment)}::text[], ${actors.map(({ id }) => id)}::uuid[],
      ${actors.map(({ state }) => state.heldUnits)}::integer[],
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

export type StockKind = ActorKind<StockState, StockCommand, StockFact, StockAnswer>;

/** Called once Postgres has the held units of these tenants. */
export type HeldChanged = (tenants: readonly Tenant[]) => void;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const stockKind = (heldChanged: HeldChanged): StockKind => ({
  name: 'stock',
  initial: NO_STOCK,
  decide: decideStock,
  evolve: evolveStock,
  evolveAll: evolveStockAll,
  dueAt: stockDueAt,
  due: { type: 'Due' },
  // Never removes an idle actor, because `seq` must not restart at 0.
  isDisposable: () => false,
  write: writeStock,
  read: readStock,
  async project(tx, actors) {
    // An actor whose id is no UUID would make Postgres reject the partition's whole batch.
    const changed = actors.filter(({ id }) => UUID.test(id));
    await saveHeld(tx.sql, changed);
    tx.afterCommit(() => heldChanged([...new Set(changed.map(({ tenant }) => tenant))]));
  },
});
