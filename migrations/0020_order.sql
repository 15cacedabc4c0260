-- Orders: what was bought, at which price, where it goes. What was paid is the ledger's.
create schema orders;

create table orders.order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  -- The attempt that it came of: its holds bear this name.
  attempt uuid not null,
  -- Where it came from: `{ kind, id, version }`.
  origin json not null,
  customer_id uuid,
  email text not null,
  order_status text not null check (order_status in ('pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled')),
  payment_status text not null check (
    payment_status in ('pending', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'voided')
  ),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- All amounts are in the currency's smallest unit.
  subtotal bigint not null check (subtotal >= 0),
  discount_total bigint not null check (discount_total between 0 and subtotal),
  shipping_total bigint not null check (shipping_total >= 0),
  shipping_tax bigint not null check (shipping_tax >= 0),
  tax_total bigint not null check (tax_total >= shipping_tax),
  total_amount bigint not null check (total_amount >= 0),
  gift_card_total bigint not null check (gift_card_total >= 0),
  store_credit_total bigint not null check (store_credit_total >= 0),
  amount_paid bigint not null default 0 check (amount_paid >= 0),
  amount_refunded bigint not null default 0 check (amount_refunded >= 0),
  shipping_address json,
  billing_address json,
  shipping_option_id text,
  shipping_option_name text,
  shipping_rate json,
  tracking_number text,
  carrier text,
  tracking_url text,
  applied_promotions json not null,
  note text,
  metadata json not null,
  return_window_days integer not null,
  delivered_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, number),
  check (gift_card_total + store_credit_total <= total_amount)
);

create index order_newest on orders.order (store, environment, created_at, id);
create index order_of_customer on orders.order (store, environment, customer_id, created_at, id)
  where customer_id is not null;

create table orders.line (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  id uuid not null,
  position integer not null,
  product_id uuid not null,
  variant_id uuid not null,
  name text not null,
  variant_name text,
  sku text,
  quantity integer not null check (quantity > 0),
  quantity_fulfilled integer not null default 0 check (quantity_fulfilled between 0 and quantity),
  quantity_returned integer not null default 0 check (quantity_returned between 0 and quantity),
  unit_price bigint not null check (unit_price >= 0),
  subtotal bigint not null,
  discount bigint not null check (discount between 0 and subtotal),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  primary key (store, environment, order_id, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

create table orders.refund (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  id uuid not null,
  amount bigint not null check (amount > 0),
  reason text,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  items json not null,
  created_at timestamptz not null,
  primary key (store, environment, order_id, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

create table orders.shipment (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  id uuid not null,
  carrier text,
  service text,
  tracking_number text,
  tracking_url text,
  label_url text,
  rate_id text,
  source text,
  fee bigint check (fee >= 0),
  items json not null,
  created_at timestamptz not null,
  primary key (store, environment, order_id, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

-- Whoever decides an attempt first has decided it: the order's own transaction, or the one that asks what became of it.
create table orders.decision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  attempt uuid not null,
  committed boolean not null,
  decided_at timestamptz not null,
  primary key (store, environment, attempt)
);

create index decision_age on orders.decision (decided_at);

-- Numbers are taken in blocks, so that orders of one store do not wait for each other's commits.
create table orders.number_block (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  next bigint not null,
  primary key (store, environment)
);
