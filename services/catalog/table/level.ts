// SQL of stock changes that have no catalogue revision yet: held units, and `on_hand` changed by orders.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Units of a variant that its stock actor held after event number `seq`; a higher number is newer. */
export interface HeldLevel {
  readonly variant_id: string;
  readonly held: number;
  readonly seq: number;
  /** Units whose holds the actor has committed to orders, in total. */
  readonly committed: number;
}

export interface MovedLevel {
  readonly variant_id: string;
  readonly product_id: string;
  readonly on_hand: number;
  readonly version: number;
  readonly allocated: number;
  readonly held: number;
  readonly held_seq: number;
  readonly last_restocked: string | null;
  readonly low_stock_threshold: number | null;
  /** Units available before orders changed `on_hand`; null if none did. */
  readonly before: number | null;
}

export interface ReconciledLevel {
  readonly variant_id: string;
  readonly held: number;
  readonly held_seq: number;
  readonly changed: boolean;
}

export const movedTenants = (sql: Sql, limit: number): Promise<Tenant[]> =>
  sql<{ store: string; environment: Environment }[]>`
    select store, environment from (
      select store, environment from catalog.held_change union select store, environment from catalog.on_hand_change
    ) as moved limit ${limit}`;

export interface LevelMoves {
  readonly revision: number;
  readonly held: readonly HeldLevel[];
  readonly moved: readonly string[];
}

export const findMoves = async (sql: Sql, { store, environment }: Tenant, limit: number): Promise<LevelMoves> => {
  const [found] = await sql<LevelMoves[]>`
    select coalesce((
      select revision from catalog.revision where store = ${store} and environment = ${environment}
    ), 0) as revision, coalesce((
      select json_agg(json_build_object('variant_id', variant_id, 'held', held, 'seq', seq, 'committed', committed)) from (
        select variant_id, held, seq, committed from catalog.held_change
        where store = ${store} and environment = ${environment} order by variant_id limit ${limit}
      ) as waiting
    ), '[]') as held, array(
      select variant_id::text from catalog.on_hand_change
      where store = ${store} and environment = ${environment} order by variant_id limit ${limit}
    ) as moved`;
  return found!;
};

/** Locks levels in the order of variant ids, like every transaction that locks several, so that none deadlock. */
export const lockLevels = (
  sql: Sql,
  { store, environment }: Tenant,
  variantIds: readonly string[],
): Promise<MovedLevel[]> =>
  sql<MovedLevel[]>`
    select i.variant_id, i.product_id, i.on_hand, i.version, i.allocated, i.held, i.held_seq, i.last_restocked::text,
      v.low_stock_threshold, m.before
    from catalog.inventory i
    left join catalog.on_hand_change m
      on m.store = i.store and m.environment = i.environment and m.variant_id = i.variant_id
    left join catalog.variant v on v.store = i.store and v.environment = i.environment and v.id = i.variant_id
    where i.store = ${store} and i.environment = ${environment} and i.variant_id = any(${variantIds as string[]}::uuid[])
    order by i.variant_id for update of i`;

/**
 * Pending changes that were applied and are now deleted. A row of `held_change` whose `seq` is larger than the given
 * one is newer and stays.
 */
export interface AppliedMoves {
  readonly held: readonly Pick<HeldLevel, 'variant_id' | 'seq'>[];
  readonly moved: readonly string[];
}

export const saveLevels = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  levels: readonly ReconciledLevel[],
  { held, moved }: AppliedMoves,
): Promise<void> => {
  // Locks rows of `held_change` in the same order as the writer of snapshots, so that the two do not deadlock.
  await sql`
    with settled as (
      update catalog.inventory as i set held = s.held, held_seq = s.held_seq,
        revision = case when s.changed = 'true' then ${revision} else i.revision end
      from unnest(${levels.map(({ variant_id }) => variant_id)}::uuid[], ${levels.map((level) => level.held)}::integer[],
        ${levels.map(({ held_seq }) => held_seq)}::bigint[], ${levels.map(({ changed }) => String(changed))}::text[]
      ) as s (variant_id, held, held_seq, changed)
      where i.store = ${store} and i.environment = ${environment} and i.variant_id = s.variant_id
    ), shown as (
      delete from catalog.on_hand_change
      where store = ${store} and environment = ${environment} and variant_id = any(${moved as string[]}::uuid[])
    ), taken as (
      select c.variant_id
      from unnest(${held.map(({ variant_id }) => variant_id)}::uuid[], ${held.map(({ seq }) => seq)}::bigint[])
        as applied (variant_id, seq)
      join catalog.held_change as c on c.store = ${store} and c.environment = ${environment}
        and c.variant_id = applied.variant_id and c.seq <= applied.seq
      order by c.variant_id for update of c
    ), dropped as (
      delete from catalog.held_change as c using taken
      where c.store = ${store} and c.environment = ${environment} and c.variant_id = taken.variant_id
    )
    update catalog.revision set revision = ${revision}, changed_at = now()
    where store = ${store} and environment = ${environment} and ${levels.some(({ changed }) => changed)}`;
};

export interface VersionedLevel {
  readonly variant_id: string;
  readonly on_hand: number;
  readonly version: number;
  readonly allocated: number;
}

export interface LevelQuery {
  readonly tenant: Tenant;
  readonly variantIds: readonly string[];
}

export const storedLevels = async (
  sql: Sql,
  asked: readonly LevelQuery[],
): Promise<readonly (readonly VersionedLevel[])[]> => {
  const each = asked.flatMap(({ tenant, variantIds }, at) => variantIds.map((variant) => ({ ...tenant, variant, at })));
  const rows = await sql<(VersionedLevel & { at: number })[]>`
    select wanted.at, level.*
    from unnest(${each.map(({ at }) => at)}::integer[], ${each.map(({ store }) => store)}::uuid[],
      ${each.map(({ environment }) => environment)}::text[], ${each.map(({ variant }) => variant)}::uuid[]
    ) as wanted (at, store, environment, variant), lateral (
      select variant_id, on_hand, version, allocated from catalog.inventory
      where store = wanted.store and environment = wanted.environment and variant_id = wanted.variant limit 1
    ) as level`;
  const levels = asked.map((): VersionedLevel[] => []);
  for (const { at, ...level } of rows) levels[at]!.push(level);
  return levels;
};
