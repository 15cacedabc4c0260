-- Sections that marketplace operators curate over their merchants. An operator is no store: the tenant of its rows is the
-- operator and an environment.
create schema marketplace;

create table marketplace.section (
  operator uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,199}$'),
  name text not null,
  description text,
  placement_kind text not null check (placement_kind in ('product', 'merchant', 'promotion')),
  -- `[{ merchant_store_id, product_id?, promotion_id? }]`, in the order in which they are shown.
  items json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (operator, environment, slug)
);
