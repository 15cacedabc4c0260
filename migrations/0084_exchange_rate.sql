-- Currencies in which a store shows its prices beside its own, and the rates at which they are converted.
alter table store.store add column currencies jsonb not null default '[]';

create table store.exchange_rate (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The store's currency when the rate was set.
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  -- Major units of `currency` for one of `base_currency`.
  rate numeric not null check (rate > 0),
  -- Ending of prices in major units; null rounds to the smallest unit.
  round_to text,
  max_age_hours integer not null check (max_age_hours > 0),
  updated_at timestamptz not null,
  primary key (store, environment, currency)
);
