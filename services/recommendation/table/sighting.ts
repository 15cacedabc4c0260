// SQL of sightings: what sessions met, what they met together, and what is met most.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { DEEDS, type Sighting, WANTED } from '#services/recommendation/sighting.ts';

/** A session that met more is no shopper: the rest of it is not kept. */
export const PRODUCTS_PER_SESSION_MAX = 200;
/** Of a product's sessions the newest count. */
const SESSIONS_MAX = 500;
/** What is met most is read from so many of the newest sightings. */
const TRENDING_FROM_MAX = 20_000;
const CANDIDATES_MAX = 100;
/** Pairs count from so many sessions on. */
const SESSIONS_MIN = 5;

/** What a deed weighs: a view is cheap, an order is not. */
const WEIGHTS = { view: 1, wishlist: 2, cart: 3, order: 5 } as const;

export const saveSightings = async (sql: Sql, tenant: Tenant, sightings: readonly Sighting[]): Promise<void> => {
  if (sightings.length === 0) return;
  await sql`
    insert into recommendation.sighting as known
      (store, environment, session, product, deeds, customer, verified, channel, seen_at)
    select ${tenant.store}, ${tenant.environment}, session, product, deeds, customer, verified, channel, seen_at
    from unnest(
      ${sightings.map(({ session }) => Buffer.from(session).toString('hex'))}::text[],
      ${sightings.map(({ product }) => product)}::uuid[], ${sightings.map(({ deeds }) => deeds)}::smallint[],
      ${sightings.map(({ customer }) => customer)}::uuid[], ${sightings.map(({ verified }) => (verified ? 'true' : 'false'))}::text[]::boolean[],
      ${sightings.map(({ channel }) => channel)}::text[], ${sightings.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[]
    ) as given (name, product, deeds, customer, verified, channel, seen_at),
    lateral (select decode(name, 'hex') as session) as decoded
    where ${PRODUCTS_PER_SESSION_MAX} > (
      select count(*) from recommendation.sighting as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = decoded.session
    ) or exists (
      select 1 from recommendation.sighting as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = decoded.session
        and met.product = given.product
    )
    on conflict (store, environment, session, product) do update
    set deeds = known.deeds | excluded.deeds,
      customer = coalesce(excluded.customer, known.customer),
      verified = case when excluded.customer is null then known.verified else excluded.verified end,
      seen_at = greatest(known.seen_at, excluded.seen_at)`;
};

/** What a session, or a known customer, met last. */
export const lastMet = async (
  sql: Sql,
  tenant: Tenant,
  who: { readonly session: Uint8Array } | { readonly customer: string },
  since: Date,
  limit: number,
): Promise<{ readonly product: string; readonly deeds: number }[]> => {
  const one =
    'session' in who ? sql`session = ${Buffer.from(who.session)}` : sql`customer = ${who.customer} and verified`;
  return sql<{ product: string; deeds: number }[]>`
    select product, bit_or(deeds) as deeds from recommendation.sighting
    where store = ${tenant.store} and environment = ${tenant.environment} and ${one} and seen_at > ${since}
    group by product order by max(seen_at) desc, product limit ${limit}`;
};

export interface Companion {
  readonly product: string;
  /** Sessions that met it and one of the others. */
  readonly sessions: number;
  /** In so many of them both were put into a cart or bought. */
  readonly wanted: number;
  /** The sessions, each by what was done. */
  readonly weight: number;
  /** Sessions that met it at all, as far as they count. */
  readonly met: number;
}

/** What sessions met that met one of these. */
export const companions = (
  sql: Sql,
  tenant: Tenant,
  products: readonly string[],
  since: Date,
): Promise<Companion[]> => sql<Companion[]>`
  with mine as (
    select session, max(${weightOf(sql, 'near')}) as weight, bit_or(near.deeds) as deeds
    from unnest(${[...products]}::uuid[]) as anchor (product), lateral (
      select session, deeds from recommendation.sighting
      where store = ${tenant.store} and environment = ${tenant.environment} and product = anchor.product
        and seen_at > ${since}
      order by seen_at desc limit ${SESSIONS_MAX}
    ) as near
    group by session
  ), together as (
    select other.product, count(*)::int as sessions,
      (count(*) filter (where mine.deeds & ${WANTED} <> 0 and other.deeds & ${WANTED} <> 0))::int as wanted,
      sum(least(mine.weight, ${weightOf(sql, 'other')}))::int as weight
    from mine join recommendation.sighting as other
      on other.store = ${tenant.store} and other.environment = ${tenant.environment} and other.session = mine.session
    where other.product <> all(${[...products]}::uuid[]) and other.seen_at > ${since}
    group by other.product
    order by weight desc, other.product limit ${CANDIDATES_MAX}
  )
  select together.*, (
    select count(*)::int from (
      select 1 from recommendation.sighting as met
      where met.store = ${tenant.store} and met.environment = ${tenant.environment}
        and met.product = together.product and met.seen_at > ${since}
      limit ${SESSIONS_MAX}
    ) as bounded
  ) as met
  from together`;

const weightOf = (sql: Sql, name: string) => sql`
  case when ${sql(name)}.deeds & ${DEEDS.order} <> 0 then ${WEIGHTS.order}::int
    when ${sql(name)}.deeds & ${DEEDS.add_to_cart} <> 0 then ${WEIGHTS.cart}::int
    when ${sql(name)}.deeds & ${DEEDS.add_to_wishlist} <> 0 then ${WEIGHTS.wishlist}::int
    else ${WEIGHTS.view}::int end`;

/** What was met most since then. */
export const trending = (
  sql: Sql,
  tenant: Tenant,
  since: Date,
): Promise<{ readonly product: string; readonly weight: number }[]> => sql<{ product: string; weight: number }[]>`
  select product, sum(${weightOf(sql, 'newest')})::int as weight
  from (
    select product, deeds from recommendation.sighting
    where store = ${tenant.store} and environment = ${tenant.environment} and seen_at > ${since}
    order by seen_at desc limit ${TRENDING_FROM_MAX}
  ) as newest
  group by product order by weight desc, product limit ${CANDIDATES_MAX}`;

/** A pair of products that five sessions met, one of them among these unless null; null where there is none. */
export const findPair = async (
  sql: Sql,
  tenant: Tenant,
  products: readonly string[] | null,
  since: Date,
): Promise<{ readonly one: string; readonly other: string } | null> => {
  const candidates =
    products === null
      ? sql`
        select product from recommendation.sighting
        where store = ${tenant.store} and environment = ${tenant.environment} and seen_at > ${since}
        group by product having count(*) >= ${SESSIONS_MIN} order by count(*) desc`
      : sql`select unnest(${[...products]}::uuid[]) as product`;
  const [pair] = await sql<{ one: string; other: string }[]>`
    select candidate.product as one, pair.product as other
    from (${candidates}) as candidate, lateral (
      select other.product
      from (
        select session from recommendation.sighting
        where store = ${tenant.store} and environment = ${tenant.environment} and product = candidate.product
          and seen_at > ${since}
        order by seen_at desc limit ${SESSIONS_MAX}
      ) as near
      cross join lateral (
        select product from recommendation.sighting
        where store = ${tenant.store} and environment = ${tenant.environment} and session = near.session
          and product <> candidate.product and seen_at > ${since}
        limit ${PRODUCTS_PER_SESSION_MAX}
      ) as other
      group by other.product having count(*) >= ${SESSIONS_MIN}
      limit 1
    ) as pair
    limit 1`;
  return pair ?? null;
};

/** When the fifth newest of the sessions that met both had met both; null where there are fewer. */
export const pairSeenAt = async (sql: Sql, tenant: Tenant, one: string, other: string): Promise<Date | null> => {
  const [fifth] = await sql<{ at: Date }[]>`
    select least(near.seen_at, met.seen_at) as at
    from (
      select session, seen_at from recommendation.sighting
      where store = ${tenant.store} and environment = ${tenant.environment} and product = ${one}
      order by seen_at desc limit ${SESSIONS_MAX}
    ) as near
    join recommendation.sighting as met
      on met.store = ${tenant.store} and met.environment = ${tenant.environment} and met.session = near.session
        and met.product = ${other}
    order by 1 desc offset ${SESSIONS_MIN - 1} limit 1`;
  return fifth?.at ?? null;
};

/** Of a product that is gone nothing is known any more. */
export const forgetProducts = async (sql: Sql, tenant: Tenant, products: readonly string[]): Promise<boolean> => {
  const gone = await sql`
    delete from recommendation.sighting
    where store = ${tenant.store} and environment = ${tenant.environment} and product = any(${[...products]}::uuid[])`;
  return gone.count > 0;
};

export const forgetCustomer = async (sql: Sql, tenant: Tenant, customer: string): Promise<void> => {
  await sql`
    update recommendation.sighting set customer = null, verified = false
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}`;
};

/** Deletes a bounded number of sightings that are older than `before`, or beyond the newest `kept`; how many. */
export const sweepSightings = async (
  sql: Sql,
  tenant: Tenant,
  before: Date,
  kept: number,
  limit: number,
): Promise<number> => {
  const [beyond] = await sql<{ seen_at: Date }[]>`
    select seen_at from recommendation.sighting
    where store = ${tenant.store} and environment = ${tenant.environment}
    order by seen_at desc offset ${kept} limit 1`;
  const end = beyond && beyond.seen_at > before ? beyond.seen_at : before;
  const gone = await sql`
    delete from recommendation.sighting where (store, environment, session, product) in (
      select store, environment, session, product from recommendation.sighting
      where store = ${tenant.store} and environment = ${tenant.environment} and seen_at <= ${end}
      order by seen_at limit ${limit}
    )`;
  return gone.count;
};
