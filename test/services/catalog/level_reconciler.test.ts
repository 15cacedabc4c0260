// Reconciles changes made outside the catalogue's writes: many under one revision, newer over older, none lost to a
// concurrent writer.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { takeOnHand } from '#services/catalog/transaction.ts';
import { outboxEvents, untyped } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import { type CatalogHost, openCatalogHost } from './host.ts';

let host: CatalogHost;
let tenant: Tenant;
beforeAll(async () => {
  host = await openCatalogHost();
  tenant = await host.newTenant();
});
afterAll(() => host?.close());

const newVariant = async (stock: number, product: object = {}): Promise<{ id: string; variant: string }> => {
  const made = await host.call(tenant, 'Catalog/CreateProduct', { name: 'Lamp', price: 5, stock, ...product });
  return { id: made.id, variant: made.variant_id };
};
const settle = (...levels: readonly (readonly [variant_id: string, held: number, seq: number, committed?: number])[]) =>
  host.call(tenant, 'StockDirectory/SettleLevels', {
    levels: levels.map(([variant_id, held, seq, committed = 0]) => ({ variant_id, held, seq, committed })),
  });
const levelOf = async (variant_id: string) => {
  const { on_hand, held, available } = (await host.call(tenant, 'Inventory/GetInventory', { variant_id })).inventory;
  return [on_hand, held, available];
};
const shown = async (id: string, revision: number) =>
  (await host.call(tenant, 'Catalog/GetProduct', { id }, revision)).stock;
const sell = (variant: string, quantity: number) =>
  takeOnHand(host.runtime.postgres.sql, tenant, [{ variant, quantity }]);
/** Writes what a stock actor's snapshot writes. */
const leave = (variant: string, held: number, seq: number) =>
  host.runtime.postgres.sql`
    insert into catalog.held_change (store, environment, variant_id, held, seq, committed)
    values (${tenant.store}, ${tenant.environment}, ${variant}, ${held}, ${seq}, 0)`;
const waiting = async () => {
  const [row] = await host.runtime.postgres.sql<{ count: number }[]>`
    select (select count(*) from catalog.held_change)::integer + (select count(*) from catalog.on_hand_change)::integer
      as count`;
  return row?.count;
};

describe('held units', () => {
  test('show from the returned revision on, for any number of levels', async () => {
    const made = [await newVariant(5), await newVariant(5), await newVariant(5)];
    const { revision } = await settle(...made.map(({ variant }, at) => [variant, at + 1, 1] as const));
    for (const [at, { id, variant }] of made.entries()) {
      expect(await shown(id, revision)).toBe(4 - at);
      expect(await levelOf(variant)).toEqual([5, at + 1, 4 - at]);
    }
    const next = await newVariant(1);
    const after = await settle([next.variant, 1, 1]);
    // The three share one revision: since then there were a product and this.
    expect(after.revision).toBe(revision + 2);
  });

  test('follow the newest snapshot in any order of arrival', async () => {
    const { variant } = await newVariant(9);
    await settle([variant, 4, 7]);
    await settle([variant, 9, 6]);
    expect(await levelOf(variant)).toEqual([9, 4, 5]);
    await settle([variant, 2, 8]);
    expect(await levelOf(variant)).toEqual([9, 2, 7]);
  });

  test('raise no revision if unchanged', async () => {
    const { variant } = await newVariant(9);
    const { revision } = await settle([variant, 4, 1]);
    expect((await settle([variant, 4, 5])).revision).toBe(revision);
    expect((await settle([randomUUID(), 4, 5])).revision).toBe(revision);
  });

  test('leave availability at 0 beyond what is on hand', async () => {
    const { id, variant } = await newVariant(2);
    const { revision } = await settle([variant, 5, 1]);
    expect(await shown(id, revision)).toBe(0);
    expect(await levelOf(variant)).toEqual([2, 5, 0]);
  });
});

describe('pending changes', () => {
  test('come from snapshots and orders, and polling finds and removes them', async () => {
    const [a, b] = [await newVariant(5), await newVariant(5)];
    await leave(a.variant, 2, 3);
    await sell(b.variant, 4);
    await eventually(async () => {
      expect([await shown(a.id, 0), await shown(b.id, 0)]).toEqual([3, 1]);
      expect(await waiting()).toBe(0);
    });
  });

  test('disappear for a deleted variant', async () => {
    await leave(randomUUID(), 2, 3);
    await eventually(async () => expect(await waiting()).toBe(0));
  });

  test('apply once for many concurrent callers', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => newVariant(10)));
    const rounds = Array.from({ length: 10 }, (_, at) => at + 1);
    await Promise.all(rounds.flatMap((seq) => made.map(({ variant }) => settle([variant, seq, seq]))));
    for (const { variant } of made) expect(await levelOf(variant)).toEqual([10, 10, 0]);
  });
});

describe('versions', () => {
  const versionOf = async (variant: string, rpc = 'StockDirectory/StoredLevels'): Promise<readonly number[]> => {
    const { levels } = await host.call(tenant, rpc, { variant_ids: [variant] });
    return levels.map(({ on_hand, version }: { on_hand: number; version: number }) => [on_hand, version])[0];
  };

  test('count each change of on_hand by any writer, and nothing else', async () => {
    const { id, variant } = await newVariant(5);
    expect(await versionOf(variant)).toEqual([5, 1]);
    await host.call(tenant, 'Inventory/CreateAdjustment', { variant_id: variant, delta: 3 });
    await host.call(tenant, 'Catalog/UpdateProduct', { id, name: 'Lantern' });
    await settle([variant, 1, 1]);
    expect(await versionOf(variant)).toEqual([8, 2]);
    await sell(variant, 1);
    await host.call(tenant, 'Catalog/UpdateProduct', { id, stock: 20 });
    expect(await versionOf(variant)).toEqual([20, 4]);
  });

  test('match those in memory', async () => {
    const { id, variant } = await newVariant(5);
    await host.call(tenant, 'Catalog/UpdateProduct', { id, stock: 6 });
    expect(await versionOf(variant, 'StockDirectory/LevelsByIds')).toEqual([6, 2]);
    await sell(variant, 2);
    await host.call(tenant, 'Catalog/UpdateProduct', { id, stock: 9 });
    expect(await versionOf(variant, 'StockDirectory/LevelsByIds')).toEqual(await versionOf(variant));
  });
});

test('an adjustment by a difference includes concurrent orders', async () => {
  const { variant } = await newVariant(100);
  await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0
        ? host.call(tenant, 'Inventory/CreateAdjustment', { variant_id: variant, delta: 10 })
        : sell(variant, 7),
    ),
  );
  expect((await levelOf(variant))[0]).toBe(100 + 50 - 35);
});

describe('stock events', () => {
  const events = async (variant: string) => {
    const events = await outboxEvents(host.runtime.postgres.sql);
    return events
      .filter(({ type, data }) => /^product\..*stock/.test(type) && untyped(data.object).variant_id === variant)
      .map(({ type, data }) => ({ type, stock: untyped(data.object).stock }));
  };

  const takeIn = () => host.call(tenant, 'StockDirectory/SettleLevels', { levels: [], wait: true });

  test('occur once per order, whose units are never subtracted twice while still held', async () => {
    const { id, variant } = await newVariant(5, { low_stock_threshold: 3 });
    await settle([variant, 3, 1, 0]);
    await sell(variant, 3);
    expect(await levelOf(variant)).toEqual([2, 0, 2]);
    for (const [seq, held, committed] of [
      [1, 3, 0],
      [2, 3, 0],
      [3, 4, 0],
      [4, 1, 3],
      [5, 0, 3],
    ] as const) {
      const { revision } = await settle([variant, held, seq, committed]);
      expect(await shown(id, revision), `fact ${seq}`).toBe(held === 4 || held === 1 ? 1 : 2);
    }
    expect(await events(variant)).toEqual([{ type: 'product.stock_low', stock: 2 }]);
    expect(await waiting()).toBe(0);
  });

  test('occur even if others hold the rest', async () => {
    const { variant } = await newVariant(5, { low_stock_threshold: 0 });
    await settle([variant, 2, 1, 0]);
    await sell(variant, 3);
    await takeIn();
    await settle([variant, 5, 2, 0]);
    expect(await events(variant)).toEqual([{ type: 'product.out_of_stock', stock: 0 }]);
    expect(await waiting()).toBe(0);
  });
});
