-- Reports: sums of sales and of the steps of a purchase, and the orders as they are counted in them.
create schema report;

-- Sums of the orders that were not cancelled. A range of time is read as whole months, then days, then quarter-hours, all
-- in UTC, so that days of every time zone can be added up.
create table report.sale (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  dimension text not null check (dimension in ('all', 'channel', 'product', 'category', 'country')),
  span text not null check (span in ('quarter', 'day', 'month')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  starts_at timestamptz not null,
  -- The channel, product, category or country; empty where the order has none, and for the dimension `all`.
  value text not null,
  orders bigint not null,
  units bigint not null,
  -- All amounts are in the currency's smallest unit.
  gross bigint not null,
  discounts bigint not null,
  refunds bigint not null,
  tax bigint not null,
  shipping bigint not null,
  total bigint not null,
  -- Orders that were not their buyer's first one.
  repeats bigint not null default 0,
  -- Orders that were their buyer's second one.
  seconds bigint not null default 0,
  primary key (store, environment, dimension, span, currency, starts_at, value)
);

create index sale_of_value on report.sale (store, environment, dimension, span, currency, value, starts_at)
  where dimension <> 'all';

-- Sums of the sessions, checkouts and orders that reached a step.
create table report.step (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  step text not null check (step in ('session', 'view', 'cart', 'checkout', 'order', 'paid')),
  span text not null check (span in ('quarter', 'day', 'month')),
  starts_at timestamptz not null,
  count bigint not null,
  primary key (store, environment, step, span, starts_at)
);

-- An order as it was counted last. When it changes, the difference goes into the sums.
create table report.counted (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  -- The customer's id, or a digest of the e-mail address of an order without an account.
  buyer text not null,
  placed_at timestamptz not null,
  -- False: cancelled.
  is_live boolean not null,
  currency text not null,
  channel text not null,
  country text not null,
  -- The category of each product at the time when the order was first counted.
  categories json not null,
  -- The order's shares in report.sale and report.step.
  sales json not null,
  steps json not null,
  -- The buyer's former order that was not the first; -infinity for a second order, null for a first one.
  returned_before timestamptz,
  primary key (store, environment, order_id)
);

create index counted_buyer on report.counted (store, environment, buyer, placed_at, order_id) where is_live;
-- The orders of buyers from their third order on.
create table report.return (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  currency text not null,
  channel text not null,
  country text not null,
  placed_at timestamptz not null,
  -- When the buyer placed the order before.
  former_at timestamptz not null,
  -- The time between both, in whole hours.
  gap_hours integer not null,
  primary key (store, environment, order_id)
);

-- Two orders within one day, week or month of a time zone have a gap below these, on days with a changed clock, too.
create index return_in_day on report.return (store, environment, currency, placed_at)
  include (former_at, channel, country) where gap_hours < 25;
create index return_in_week on report.return (store, environment, currency, placed_at)
  include (former_at, channel, country) where gap_hours < 170;
create index return_in_month on report.return (store, environment, currency, placed_at)
  include (former_at, channel, country) where gap_hours < 746;
create index return_placed on report.return (store, environment, currency, placed_at)
  include (former_at, channel, country);
create index return_former on report.return (store, environment, currency, former_at)
  include (placed_at, channel, country);

-- The steps that a storefront session has reached.
create table report.session (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- A digest, because a session's id opens its cart.
  session bytea not null,
  -- Bits: 1 began, 2 viewed a product, 4 put one into a cart.
  steps smallint not null,
  seen_at timestamptz not null,
  primary key (store, environment, session)
);

create index session_age on report.session (seen_at);

-- Checkouts that began and wait to be counted. Rows live for a second.
create table report.started_checkout (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  started_at timestamptz not null,
  primary key (store, environment, id)
);

-- The newest event that was counted.
create table report.progress (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  sequence bigint not null,
  counted_at timestamptz not null,
  primary key (store, environment)
);

-- How far the orders from before the reports are counted. Deleting the row counts all orders again.
create table report.backfill (
  only_row boolean default true primary key check (only_row),
  after_store uuid not null,
  after_environment text not null,
  after_order uuid not null,
  finished_at timestamptz
);
