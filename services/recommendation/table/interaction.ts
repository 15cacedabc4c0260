// SQL of interactions, and queries for companions (products in the same sessions), product pairs and trending products.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { ACTIONS, type ProductInteraction, PURCHASE_INTENT } from '#services/recommendation/interaction.ts';

/** Further products of a session are dropped, because no shopper looks at more. */
export const PRODUCTS_PER_SESSION_MAX = 200;
const NEWEST_SESSIONS_MAX = 500;
const TRENDING_FROM_MAX = 20_000;
const CANDIDATES_MAX = 100;
const PAIR_SESSIONS_MIN = 5;

const ACTION_WEIGHTS = { view: 1, wishlist: 2, cart: 3, order: 5 } as const;

export const saveInteractions = async (
  sql: Sql,
  tenant: Tenant,
  interactions: readonly ProductInteraction[],
): Promise<void> => {
  if (interactions.length === 0) return;
  await sql`
    insert into recommendation.interaction as known
      (store, environment, session, product, actions, customer, verified, channel, seen_at)
    select ${tenant.store}, ${tenant.environment}, session, product, actions, customer, verified, channel, seen_at
    from unnest(
      ${interactions.map(({ session }) => Buffer.from(session).toString('hex'))}::text[],
      ${interactions.map(({ product }) => product)}::uuid[], ${interactions.map(({ actions }) => actions)}::smallint[],
      ${interactions.map(({ customer }) => customer)}::uuid[], ${interactions.map(({ verified }) => (verified ? 'true' : 'false'))}::text[]::boolean[],
      ${interactions.map(({ channel }) => channel)}::text[], ${interactions.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[]
    ) as given (name, product, actions, customer, verified, channel, seen_at),
    lateral (select decode(name, 'hex') as session) as decoded
    where ${PRODUCTS_PER_SESSION_MAX} > (
      select count(*) from recommendation.interaction as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = decoded.session
    ) or exists (
      select 1 from recommendation.interaction as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = decoded.session
        and met.product = given.product
    )
    on conflict (store, environment, session, product) do update
    set actions = known.actions | excluded.actions,
      customer = coalesce(excluded.customer, known.customer),
      verified = case when excluded.customer is null then known.verified else excluded.verified end,
      seen_at = greatest(known.seen_at, excluded.seen_at)`;
};

export const latestInteractions = async (
  sql: Sql,
  tenant: Tenant,
  who: { readonly session: Uint8Array } | { readonly customer: string },
  since: Date,
  limit: number,
): Promise<{ readonly product: string; readonly actions: number }[]> => {
  const one =
    'session' in who ? sql`session = ${Buffer.from(who.session)}` : sql`customer = ${who.customer} and verified`;
  return sql<{ product: string; actions: number }[]>`
    select product, bit_or(actions) as actions from recommendation.interaction
    where store = ${tenant.store} and environment = ${tenant.environment} and ${one} and seen_at > ${since}
    group by product order by max(seen_at) desc, product limit ${limit}`;
};

export interface Companion {
  readonly product: string;
  readonly sessions: number;
  readonly sessionsWithIntent: number;
  readonly weight: number;
  readonly totalSessions: number;
}

export const companions = (
  sql: Sql,
  tenant: Tenant,
  products: readonly string[],
  since: Date,
): Promise<Companion[]> => sql<Companion[]>`
  with mine as (
    select session, max(${weightOf(sql, 'near')}) as weight, bit_or(near.actions) as actions
    from unnest(${[...products]}::uuid[]) as anchor (product), lateral (
      select session, actions from recommendation.interaction
      where store = ${tenant.store} and environment = ${tenant.environment} and product = anchor.product
        and seen_at > ${since}
      order by seen_at desc limit ${NEWEST_SESSIONS_MAX}
    ) as near
    group by session
  ), together as (
    select other.product, count(*)::int as sessions,
      (count(*) filter (where mine.actions & ${PURCHASE_INTENT} <> 0 and other.actions & ${PURCHASE_INTENT} <> 0))::int as "sessionsWithIntent",
      sum(least(mine.weight, ${weightOf(sql, 'other')}))::int as weight
    from mine join recommendation.interaction as other
      on other.store = ${tenant.store} and other.environment = ${tenant.environment} and other.session = mine.session
    where other.product <> all(${[...products]}::uuid[]) and other.seen_at > ${since}
    group by other.product
    order by weight desc, other.product limit ${CANDIDATES_MAX}
  )
  select together.*, (
    select count(*)::int from (
      select 1 from recommendation.interaction as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment}
        and met.product = together.product and met.seen_at > ${since}
      limit ${NEWEST_SESSIONS_MAX}
    ) as bounded
  ) as "totalSessions"
  from together`;

const weightOf = (sql: Sql, name: string) => sql`
  case when ${sql(name)}.actions & ${ACTIONS.order} <> 0 then ${ACTION_WEIGHTS.order}::int
    when ${sql(name)}.actions & ${ACTIONS.add_to_cart} <> 0 then ${ACTION_WEIGHTS.cart}::int
    when ${sql(name)}.actions & ${ACTIONS.add_to_wishlist} <> 0 then ${ACTION_WEIGHTS.wishlist}::int
    else ${ACTION_WEIGHTS.view}::int end`;

export const trending = (
  sql: Sql,
  tenant: Tenant,
  since: Date,
): Promise<{ readonly product: string; readonly weight: number }[]> => sql<{ product: string; weight: number }[]>`
  select product, sum(${weightOf(sql, 'newest')})::int as weight
  from (
    select product, actions from recommendation.interaction
    where store = ${tenant.store} and environment = ${tenant.environment} and seen_at > ${since}
    order by seen_at desc limit ${TRENDING_FROM_MAX}
  ) as newest
  group by product order by weight desc, product limit ${CANDIDATES_MAX}`;

/** Finds two products that enough sessions share. Unless `products` is null, one of the two is among them. */
export const findPair = async (
  sql: Sql,
  tenant: Tenant,
  products: readonly string[] | null,
  since: Date,
): Promise<{ readonly one: string; readonly other: string } | null> => {
  const candidates =
    products === null
      ? sql`
        select product from recommendation.interaction
        where store = ${tenant.store} and environment = ${tenant.environment} and seen_at > ${since}
        group by product having count(*) >= ${PAIR_SESSIONS_MIN} order by count(*) desc`
      : sql`select unnest(${[...products]}::uuid[]) as product`;
  const [pair] = await sql<{ one: string; other: string }[]>`
    select candidate.product as one, pair.product as other
    from (${candidates}) as candidate, lateral (
      select other.product
      from (
        select session from recommendation.interaction
        where store = ${tenant.store} and environment = ${tenant.environment} and product = candidate.product
          and seen_at > ${since}
        order by seen_at desc limit ${NEWEST_SESSIONS_MAX}
      ) as near
      cross join lateral (
        select product from recommendation.interaction
        where store = ${tenant.store} and environment = ${tenant.environment} and session = near.session
          and product <> candidate.product and seen_at > ${since}
        limit ${PRODUCTS_PER_SESSION_MAX}
      ) as other
      group by other.product having count(*) >= ${PAIR_SESSIONS_MIN}
      limit 1
    ) as pair
    limit 1`;
  return pair ?? null;
};

export const pairSeenAt = async (sql: Sql, tenant: Tenant, one: string, other: string): Promise<Date | null> => {
  const [fifth] = await sql<{ at: Date }[]>`
    select least(near.seen_at, met.seen_at) as at
    from (
      select session, seen_at from recommendation.interaction
      where store = ${tenant.store} and environment = ${tenant.environment} and product = ${one}
      order by seen_at desc limit ${NEWEST_SESSIONS_MAX}
    ) as near
    join recommendation.interaction as met
      on met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = near.session
        and met.product = ${other}
    order by 1 desc offset ${PAIR_SESSIONS_MIN - 1} limit 1`;
  return fifth?.at ?? null;
};

export const forgetProducts = async (sql: Sql, tenant: Tenant, products: readonly string[]): Promise<boolean> => {
  const gone = await sql`
    delete from recommendation.interaction
    where store = ${tenant.store} and environment = ${tenant.environment} and product = any(${[...products]}::uuid[])`;
  return gone.count > 0;
};

export const forgetCustomer = async (sql: Sql, tenant: Tenant, customer: string): Promise<void> => {
  await sql`
    update recommendation.interaction set customer = null, verified = false
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
};

export const deleteOldInteractions = async (
  sql: Sql,
  tenant: Tenant,
  before: Date,
  retained: number,
  limit: number,
): Promise<number> => {
  const [beyond] = await sql<{ seen_at: Date }[]>`
    select seen_at from recommendation.interaction
    where store = ${tenant.store} and environment = ${tenant.environment}
    order by seen_at desc offset ${retained} limit 1`;
  const end = beyond && beyond.seen_at > before ? beyond.seen_at : before;
  const gone = await sql`
    delete from recommendation.interaction where (store, environment, session, product) in (
      select store, environment, session, product from recommendation.interaction
      where store = ${tenant.store} and environment = ${tenant.environment} and seen_at <= ${end}
      order by seen_at limit ${limit}
    )`;
  return gone.count;
};
