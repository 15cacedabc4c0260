// The kind of actors of this domain, for the actor host: one a variant.

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

/** Pinned holds of one variant that were not decided about for long. */
export interface Doubt {
  readonly tenant: Tenant;
  readonly variantId: string;
  readonly holds: readonly string[];
  /** When it came up, in ms of the tenant's clock: the same one may be told more than once. */
  readonly at: number;
}

export interface StockListener {
  /** What is held moved for these tenants, and is written down. */
  moved(tenants: readonly Tenant[]): void;
  doubted(doubts: readonly Doubt[]): void;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const stockKind = ({ moved, doubted }: StockListener): StockKind => ({
  name: 'stock',
  initial: NO_STOCK,
  decide: decideStock,
  evolve: evolveStock,
  evolveAll: evolveStockAll,
  dueAt: stockDueAt,
  due: { type: 'Due' },
  // What is held of a variant counts on from what was held before: see `seq`.
  isDisposable: () => false,
  // Nothing is announced: the catalogue tells of low stock, and of the product with it, when it takes in what is held.
  write: writeStock,
  read: readStock,
  async project(tx, actors) {
    // Whatever else an actor was named by, the partition must not stand still for it.
    const changed = actors.filter(({ id }) => UUID.test(id));
    await saveHeld(tx.sql, changed);
    tx.afterCommit(() => {
      moved([...new Set(changed.map(({ tenant }) => tenant))]);
      const doubts = changed
        .filter(({ state }) => state.asking.holds.length > 0)
        .map(({ tenant, id, state }) => ({ tenant, variantId: id, ...state.asking }));
      if (doubts.length > 0) doubted(doubts);
    });
  },
});
