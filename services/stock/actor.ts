// The actor kind of stock, one actor a variant, as the actor host runs it.

import type { ActorKind } from '#runtime/actor/kind.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { decideStock } from './decision.ts';
import { readStock, writeStock } from './snapshot.ts';
import {
  evolveStock,
  evolveStockAll,
  NO_STOCK,
  type StockAnswer,
  type StockCommand,
  type StockFact,
  type StockState,
  stockDueAt,
} from './stock.ts';
import { saveHeld } from './table/held.ts';

export type StockKind = ActorKind<StockState, StockCommand, StockFact, StockAnswer>;

/** Pinned holds of one variant whose orders are to be asked. The same question may be reported more than once. */
export interface InDoubtHolds {
  readonly tenant: Tenant;
  readonly variantId: string;
  readonly holds: readonly string[];
  readonly at: number;
}

export interface StockListener {
  /** Runs once the held units of these tenants are written to Postgres. */
  heldChanged(tenants: readonly Tenant[]): void;
  inDoubt(decisionsDue: readonly InDoubtHolds[]): void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const stockKind = ({ heldChanged, inDoubt }: StockListener): StockKind => ({
  name: 'stock',
  initial: NO_STOCK,
  decide: decideStock,
  evolve: evolveStock,
  evolveAll: evolveStockAll,
  dueAt: stockDueAt,
  due: { type: 'Due' },
  // `seq` must not start again.
  isDisposable: () => false,
  write: writeStock,
  read: readStock,
  async project(tx, actors) {
    // An actor whose name is no variant's id must not stop the partition.
    const changed = actors.filter(({ id }) => UUID.test(id));
    await saveHeld(tx.sql, changed);
    tx.afterCommit(() => {
      heldChanged([...new Set(changed.map(({ tenant }) => tenant))]);
      const decisionsDue = changed
        .filter(({ state }) => state.inDoubt.holds.length > 0)
        .map(({ tenant, id, state }) => ({ tenant, variantId: id, ...state.inDoubt }));
      if (decisionsDue.length > 0) inDoubt(decisionsDue);
    });
  },
});
