// Order numbers: count up from 1001 in each store and environment. A process takes them in blocks, so that orders of
// one store do not wait for each other's commits. A number whose order was not placed stays unused.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

const FIRST = 1_001;
/**
 * Numbers that a process takes at once. A process that ends loses the unused ones. Below `SINGLE_UNTIL` numbers are
 * taken singly, because merchants notice gaps in their first orders.
 */
const BLOCK = 20;
const SINGLE_UNTIL = 1_100;
const TENANTS_MAX = 10_000;

interface Block {
  next: number;
  end: number;
}

export interface OrderNumbers {
  next(tenant: Tenant): Promise<number>;
  forget(tenant: Tenant): void;
}

export const openNumbers = (sql: Sql): OrderNumbers => {
  const take = async ({ store, environment }: Tenant): Promise<Block> => {
    const [row] = await sql<{ next: number; size: number }[]>`
      insert into orders.number_block as block (store, environment, next)
      values (${store}, ${environment}, ${FIRST + 1})
      on conflict (store, environment) do update
        set next = block.next + case when block.next < ${SINGLE_UNTIL} then 1 else ${BLOCK}::integer end
      returning next, case when next <= ${SINGLE_UNTIL} then 1 else ${BLOCK}::integer end as size`;
    const { next, size } = row!;
    return { next: next - size, end: next };
  };

  const blocks = new LookupCache<TenantKey, Block, Tenant>({
    now: () => performance.now(),
    entriesMax: TENANTS_MAX,
    load: async (_, tenant) => ({ value: await take(tenant), ttlMs: Number.POSITIVE_INFINITY }),
  });

  const next = async (tenant: Tenant): Promise<number> => {
    const key = tenantKey(tenant);
    for (;;) {
      const block = blocks.peek(key)?.value;
      if (block && block.next < block.end) return block.next++;
      await blocks.reload(key, tenant);
    }
  };

  return { next, forget: (tenant) => blocks.forget(tenantKey(tenant)) };
};
