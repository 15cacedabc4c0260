-- Sums and an index of the orders with which buyers return, so that a report of returning customers reads few rows. Figures
-- counted before are dropped; a host counts all orders again when it starts.
truncate report.sale, report.step, report.counted, report.session, report.progress, report.backfill;

alter table report.sale
  -- Orders that were not their buyer's first one.
  add column repeats bigint not null default 0,
  -- Orders that were their buyer's second one.
  add column seconds bigint not null default 0;

drop index report.counted_returned;

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
