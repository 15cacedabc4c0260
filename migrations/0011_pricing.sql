-- Prices by rule: promotions and how often they were used, tax rates.
create schema pricing;

-- One row a tenant, raised with every change of its promotions or tax rates: whoever keeps them compiled compares it.
create table pricing.revision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  primary key (store, environment)
) with (fillfactor = 50);

create table pricing.promotion (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  -- In upper case; null: it applies by itself.
  code text,
  type text not null check (type in ('percentage', 'fixed_amount', 'free_shipping', 'buy_x_get_y')),
  -- Millionths of a percentage, minor units of a fixed amount.
  value bigint check (value > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- All three empty: everything takes part.
  product_ids uuid[] not null,
  category_ids uuid[] not null,
  collection_ids uuid[] not null,
  buy_quantity integer check (buy_quantity >= 1),
  get_quantity integer check (get_quantity >= 1),
  -- Millionths.
  get_discount integer check (get_discount between 1 and 1000000),
  minimum_subtotal bigint check (minimum_subtotal >= 0),
  usage_limit integer check (usage_limit >= 1),
  usage_limit_per_customer integer check (usage_limit_per_customer >= 1),
  stackable boolean not null,
  public boolean not null,
  -- As it was last written: what time has done since is seen from starts_at and ends_at.
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'ended', 'expired')),
  starts_at timestamptz check (status <> 'scheduled' or starts_at is not null),
  ends_at timestamptz check (ends_at > starts_at),
  -- When time alone changes its status next, by the tenant's clock.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store, environment, id),
  check ((value is not null) = (type in ('percentage', 'fixed_amount'))),
  check (num_nonnulls(buy_quantity, get_quantity, get_discount) = case when type = 'buy_x_get_y' then 3 else 0 end)
);

create index promotion_newest on pricing.promotion (store, environment, created_at desc, id desc);
create index promotion_due on pricing.promotion (due_at) where due_at is not null;
-- A code is free again once its promotion is over.
create unique index promotion_code on pricing.promotion (store, environment, code)
  where code is not null and status not in ('ended', 'expired');

-- How many orders use a promotion. Its row is the lock that puts these orders one after the other.
create table pricing.promotion_use (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  times_used integer not null check (times_used >= 0),
  primary key (store, environment, promotion)
) with (fillfactor = 50);

-- Which order used which promotion; a cancelled order has given it back.
create table pricing.redemption (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  "order" uuid not null,
  -- Whoever a limit per customer counts: an id, else an e-mail address; null: nobody known.
  customer text,
  -- What it took off, in minor units of the order's currency.
  amount bigint not null check (amount >= 0),
  redeemed_at timestamptz not null,
  released_at timestamptz,
  primary key (store, environment, promotion, "order")
);

create index redemption_customer on pricing.redemption (store, environment, promotion, customer)
  where released_at is null and customer is not null;
create index redemption_order on pricing.redemption (store, environment, "order");

-- Uses promotions for an order, within the order's own transaction: the limits are kept however many orders come at once.
-- Answers the promotions that may not be used any more, and why: `usage_limit` or `usage_limit_per_customer`. Whoever gets
-- any rolls back. An order that asks again changes nothing. Best called last: it holds the counters until the commit.
create function pricing.redeem(
  the_store uuid, the_environment text, the_order uuid, the_customer text, the_promotions uuid[], the_amounts bigint[],
  the_time timestamptz
) returns table (promotion uuid, obstacle text) language plpgsql as $$
#variable_conflict use_column
declare
  wanted record;
  used integer;
begin
  -- One order of locking for all, so that two orders with the same promotions never wait for each other.
  for wanted in
    select p.id, p.usage_limit, p.usage_limit_per_customer, asked.amount
    from unnest(the_promotions, the_amounts) as asked (id, amount)
    join pricing.promotion p on p.store = the_store and p.environment = the_environment and p.id = asked.id
    order by p.id
  loop
    insert into pricing.promotion_use as counter (store, environment, promotion, times_used)
    values (the_store, the_environment, wanted.id, 0)
    on conflict (store, environment, promotion) do nothing;
    select counter.times_used into used from pricing.promotion_use counter
    where counter.store = the_store and counter.environment = the_environment and counter.promotion = wanted.id
    for update;
    continue when exists (
      select from pricing.redemption r
      where r.store = the_store and r.environment = the_environment and r.promotion = wanted.id and r."order" = the_order
    );
    if used >= wanted.usage_limit then
      promotion := wanted.id;
      obstacle := 'usage_limit';
      return next;
    elsif the_customer is not null and wanted.usage_limit_per_customer <= (
      select count(*) from pricing.redemption r
      where r.store = the_store and r.environment = the_environment and r.promotion = wanted.id
        and r.customer = the_customer and r.released_at is null
    ) then
      promotion := wanted.id;
      obstacle := 'usage_limit_per_customer';
      return next;
    else
      insert into pricing.redemption (store, environment, promotion, "order", customer, amount, redeemed_at)
      values (the_store, the_environment, wanted.id, the_order, the_customer, wanted.amount, the_time);
      update pricing.promotion_use counter set times_used = counter.times_used + 1
      where counter.store = the_store and counter.environment = the_environment and counter.promotion = wanted.id;
    end if;
  end loop;
end $$;

-- Gives back what an order used, within the transaction that cancels it; once.
create function pricing.release(the_store uuid, the_environment text, the_order uuid, the_time timestamptz)
returns void language plpgsql as $$
begin
  perform from pricing.promotion_use counter
  join pricing.redemption r on r.store = counter.store and r.environment = counter.environment
    and r.promotion = counter.promotion
  where r.store = the_store and r.environment = the_environment and r."order" = the_order
  order by counter.promotion for update of counter;
  with given_back as (
    update pricing.redemption set released_at = the_time
    where store = the_store and environment = the_environment and "order" = the_order and released_at is null
    returning promotion
  )
  update pricing.promotion_use counter set times_used = counter.times_used - 1
  from given_back
  where counter.store = the_store and counter.environment = the_environment and counter.promotion = given_back.promotion;
end $$;

create table pricing.tax_rate (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Null: anywhere in it.
  state text,
  postal_prefix text,
  -- Millionths.
  rate integer not null check (rate between 0 and 1000000),
  -- Null: everything.
  category_id uuid,
  applies_to_shipping boolean not null,
  priority integer not null check (priority >= 0),
  compound boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index tax_rate_newest on pricing.tax_rate (store, environment, created_at desc, id desc)
  where deleted_at is null;
