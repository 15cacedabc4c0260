-- Wholesale: what buyers ask a quote for, what they are quoted, and the numbers by which both sides know it.
create schema b2b;

-- The last number of each kind that a tenant gave out. They count up without a gap: a number is taken in the transaction
-- that uses it.
create table b2b.number (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null check (kind in ('rfq', 'quote', 'invoice')),
  last bigint not null,
  primary key (store, environment, kind)
);

-- Requests for quotes.
create table b2b.rfq (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  customer_id uuid not null,
  status text not null check (status in ('submitted', 'quoted', 'closed', 'cancelled')),
  -- Variants and pieces; what the buyer hopes to pay, in minor units.
  items json not null,
  currency text not null,
  note text,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index rfq_list on b2b.rfq (store, environment, created_at desc, id desc);
create index rfq_of_customer on b2b.rfq (store, environment, customer_id, created_at desc, id desc);

create table b2b.quote (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  rfq_id uuid,
  customer_id uuid not null,
  -- Sent ones are expired from `valid_until` on: that is written down nowhere.
  status text not null check (status in ('sent', 'accepted', 'rejected')),
  currency text not null,
  tax_inclusive boolean not null,
  -- Variants as they were called, pieces, prices and what tax is in each, in minor units.
  items json not null,
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  shipping_address json,
  note text,
  -- Why the buyer took it, or did not.
  reason text,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index quote_list on b2b.quote (store, environment, created_at desc, id desc);
create index quote_of_customer on b2b.quote (store, environment, customer_id, created_at desc, id desc);
create index quote_of_rfq on b2b.quote (store, environment, rfq_id) where status = 'sent';
create index quote_by_end on b2b.quote (store, environment, valid_until) where status = 'sent';
