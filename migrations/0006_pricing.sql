-- Promotions and how often they were used, and tax rates.
create schema pricing;

-- One row for each tenant, raised with every change of its promotions or tax rates. Compiled copies compare it.
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
  -- The code in upper case. Null: the promotion applies without a code.
  code text,
  type text not null check (type in ('percentage', 'fixed_amount', 'free_shipping', 'buy_x_get_y')),
  -- Millionths of a percentage, minor units of a fixed amount.
  value bigint check (value > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- All three empty: every product takes part.
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
  -- The status as of the last write; `starts_at` and `ends_at` tell the changes by time since.
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'ended', 'expired')),
  starts_at timestamptz,
  ends_at timestamptz,
  -- When time alone changes the status next, by the tenant's clock.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The row of a deleted promotion stays, since orders that were priced before still count their use.
  deleted_at timestamptz,
  -- Names in other languages by language: {"de": {"name": …}}; null without any.
  translations jsonb,
  primary key (store, environment, id),
  check (status <> 'scheduled' or starts_at is not null),
  check (ends_at > starts_at),
  check ((value is not null) = (type in ('percentage', 'fixed_amount'))),
  check (
    num_nonnulls(buy_quantity, get_quantity, get_discount) = case when type = 'buy_x_get_y' then 3 else 0 end
  )
);

create index promotion_newest on pricing.promotion (store, environment, created_at desc, id desc);
create index promotion_due on pricing.promotion (due_at) where due_at is not null;
-- A code is free again once its promotion has ended.
create unique index promotion_code on pricing.promotion (store, environment, code)
  where code is not null and status not in ('ended', 'expired');

-- How many orders use a promotion. The row is the lock that orders these orders.
create table pricing.promotion_use (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  times_used integer not null check (times_used >= 0),
  primary key (store, environment, promotion)
) with (fillfactor = 50);

-- The orders that used a promotion. Cancelling an order releases its use.
create table pricing.redemption (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  "order" uuid not null,
  -- The discount, in minor units of the order's currency.
  amount bigint not null check (amount >= 0),
  redeemed_at timestamptz not null,
  released_at timestamptz,
  primary key (store, environment, promotion, "order")
);

create index redemption_order on pricing.redemption (store, environment, "order");

create table pricing.tax_rate (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Null: every state of the country.
  state text,
  postal_prefix text,
  -- Millionths.
  rate integer not null check (rate between 0 and 1000000),
  -- Null: every category.
  category_id uuid,
  applies_to_shipping boolean not null,
  priority integer not null check (priority >= 0),
  compound boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index tax_rate_newest on pricing.tax_rate (store, environment, created_at desc, id desc) where deleted_at is null;

-- A limit per customer counts a use for the customer and for each address that the customer used. An identity is a
-- customer's id or a normalised address.
create table pricing.redemption_identity (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  identity text not null,
  "order" uuid not null,
  primary key (store, environment, promotion, identity, "order")
);
