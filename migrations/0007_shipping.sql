-- Shipping: each tenant's configuration, carrier accounts, custom providers and bought labels.
create schema shipping;

-- A write replaces the whole document. The revision counts every change of it and of the tenant's providers, so that a
-- compiled copy knows when it is old.
create table shipping.config (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  -- Compressed JSON; null before the first write.
  document bytea,
  updated_at timestamptz not null,
  primary key (store, environment)
);
alter table shipping.config alter column document set storage external;

create table shipping.provider (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  kind text not null check (kind in ('carrier_account', 'custom')),
  name text not null,
  url text not null,
  -- Sealed; emptied when the provider is deleted.
  secret bytea not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index provider_newest on shipping.provider (store, environment, sequence) where deleted_at is null;

-- Labels, by the id of their purchase. `label` is null until the carrier's answer is known.
create table shipping.label (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  reference text not null,
  label jsonb,
  -- The carrier's purchase, written before it is made. A purchase whose answer was lost can be looked up by it.
  purchase text,
  -- When a process last started the purchase.
  claimed_at timestamptz not null default now(),
  created_at timestamptz not null,
  primary key (store, environment, reference)
);
