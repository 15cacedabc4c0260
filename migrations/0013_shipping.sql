-- Shipping: a configuration a tenant, carrier accounts and extensions.
create schema shipping;

-- The document is replaced whole. The revision counts every change of it and of the tenant's providers, so that engines
-- in memory know when they are old.
create table shipping.config (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  -- Compressed JSON; null before the first one is written.
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
  -- Sealed; emptied with the provider's deletion.
  secret bytea not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index provider_newest on shipping.provider (store, environment, sequence) where deleted_at is null;

-- Bought labels by the name of their purchase; `label` is null until it is known what was bought.
create table shipping.label (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  reference text not null,
  label jsonb,
  created_at timestamptz not null,
  primary key (store, environment, reference)
);
