-- Wholesale: requests for quotes, quotes, purchase orders and invoices.
create schema b2b;

-- The last number of each kind. Numbers have no gaps: the transaction that uses one takes it.
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
  -- Variants and units, and the price that the buyer hopes for, in minor units.
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
  -- A sent quote is expired from `valid_until` on; no write says so.
  status text not null check (status in ('sent', 'accepted', 'rejected')),
  currency text not null,
  tax_inclusive boolean not null,
  -- The variants' names, units, prices and the tax in each, in minor units.
  items json not null,
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  shipping_address json,
  note text,
  -- Why the buyer accepted or rejected the quote.
  reason text,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index quote_list on b2b.quote (store, environment, created_at desc, id desc);
create index quote_of_customer on b2b.quote (store, environment, customer_id, created_at desc, id desc);
create index quote_of_rfq on b2b.quote (store, environment, rfq_id) where status = 'sent';
create index quote_by_end on b2b.quote (store, environment, valid_until) where status = 'sent';

-- A buyer's purchase order of an accepted quote, and the store's order.
create table b2b.purchase_order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  quote_id uuid not null,
  customer_id uuid not null,
  -- The buyer as of the purchase order.
  email text not null,
  buyer_name text,
  po_number text not null,
  -- The buyer's number without regard to letter case.
  po_key text not null,
  status text not null check (status in ('issued', 'confirmed', 'fulfilled', 'cancelled')),
  currency text not null,
  tax_inclusive boolean not null,
  -- The quoted items, under ids of their own.
  items json not null,
  -- The units of each item on invoices that are not void, and how much of each of its taxes.
  invoiced json not null default '{}',
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  shipping_address json not null,
  billing_address json,
  order_id uuid,
  -- The commands that confirmed and fulfilled the purchase order: a retry recognises itself.
  confirmed_by uuid,
  confirmed_at timestamptz,
  fulfilled_by uuid,
  fulfilled_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id),
  -- A quote has one purchase order; a cancelled one's quote stays used.
  unique (store, environment, quote_id),
  check (order_id is not null or status in ('issued', 'cancelled'))
);

create index purchase_order_list on b2b.purchase_order (store, environment, created_at desc, id desc);
create index purchase_order_of_customer on b2b.purchase_order (store, environment, customer_id, created_at desc, id desc);
create index purchase_order_of_order on b2b.purchase_order (store, environment, order_id) where order_id is not null;
-- A buyer uses a number once; a cancelled purchase order's number stays used.
create unique index purchase_order_key on b2b.purchase_order (store, environment, customer_id, po_key);

-- Invoices of confirmed purchase orders, with amounts and due dates.
create table b2b.invoice (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  purchase_order_id uuid not null,
  order_id uuid not null,
  customer_id uuid not null,
  -- An issued invoice is overdue from `overdue_at` on; no write says so.
  status text not null check (status in ('issued', 'paid', 'void')),
  currency text not null,
  tax_inclusive boolean not null,
  -- Units of the purchase order's items, with the tax in each, in minor units.
  items json not null,
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  due_at timestamptz not null,
  overdue_at timestamptz not null,
  overdue_published boolean not null default false,
  paid_at timestamptz,
  -- How the invoice was paid, as the store notes it.
  reference text,
  -- When it was issued.
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, number),
  foreign key (store, environment, purchase_order_id) references b2b.purchase_order
);

create index invoice_list on b2b.invoice (store, environment, created_at desc, id desc);
create index invoice_of_customer on b2b.invoice (store, environment, customer_id, created_at desc, id desc);
create index invoice_of_purchase_order on b2b.invoice (store, environment, purchase_order_id);
create index invoice_due on b2b.invoice (overdue_at) where status = 'issued' and not overdue_published;
create index invoice_due_of_tenant on b2b.invoice (store, environment, overdue_at) where status = 'issued' and not overdue_published;
