-- Orders: lines, prices and addresses; their parcels, refunds, returns and disputes. The ledger has the amounts paid.
create schema orders;

create table orders.order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  -- The attempt that placed the order; its holds bear this id.
  attempt uuid not null,
  -- The source of the order: `{ kind, id, version, cart, agent }`.
  origin json not null,
  customer_id uuid,
  email text not null,
  order_status text not null check (
    order_status in ('pending', 'confirmed', 'processing', 'shipped', 'delivered', 'cancelled')
  ),
  payment_status text not null check (
    payment_status in ('pending', 'authorized', 'paid', 'partially_refunded', 'refunded', 'failed', 'voided')
  ),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- All amounts are in the currency's smallest unit.
  subtotal bigint not null check (subtotal >= 0),
  discount_total bigint not null,
  shipping_total bigint not null check (shipping_total >= 0),
  shipping_tax bigint not null check (shipping_tax >= 0),
  tax_total bigint not null,
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
  -- Uncaptured rest of an authorised payment. `amount_due` excludes it.
  amount_released bigint not null default 0,
  -- The amounts of an order in another currency than the store's, in the currency of the store's books.
  books json,
  primary key (store, environment, id),
  unique (store, environment, number),
  check (discount_total between 0 and subtotal),
  check (tax_total >= shipping_tax),
  check (gift_card_total + store_credit_total <= total_amount)
);

create index order_newest on orders.order (store, environment, created_at, id);
create index order_of_customer on orders.order (store, environment, customer_id, created_at, id) where customer_id is not null;
-- Orders without a customer, by e-mail address, until a customer proves it.
create index order_of_email on orders.order (store, environment, normalize(lower(normalize(email, NFC)), NFC))
  where customer_id is null;
-- Search by the beginning of an e-mail address.
create index order_of_email_prefix on orders.order
  (store, environment, normalize(lower(normalize(email, NFC)), NFC) text_pattern_ops);

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
  quantity_shipped integer not null default 0,
  quantity_returned integer not null default 0,
  -- Units that were returned before shipping. Cancelling the order does not return them again.
  quantity_returned_unshipped integer not null default 0,
  -- Units that went back into stock, at most once each, by a cancellation, a refund or a return.
  quantity_restocked integer not null default 0,
  -- The variant's mark when the order was placed. A line that needs no shipping counts as shipped.
  requires_shipping boolean not null default true,
  unit_price bigint not null check (unit_price >= 0),
  subtotal bigint not null,
  discount bigint not null,
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  primary key (store, environment, order_id, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade,
  check (quantity_shipped between 0 and quantity),
  check (quantity_returned between 0 and quantity),
  check (discount between 0 and subtotal),
  check (quantity_returned_unshipped >= 0 and quantity_shipped + quantity_returned_unshipped <= quantity),
  check (quantity_restocked between 0 and quantity)
);

create index line_of_sku on orders.line (store, environment, sku) where sku is not null;

create table orders.refund (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  id uuid not null,
  -- 0 for a line that cost nothing.
  amount bigint not null check (amount >= 0),
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

-- Attempts that became orders: each is one order at most.
create table orders.decision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  attempt uuid not null,
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

-- Returns: what a shopper sends back, its status, and the store credit that was offered instead of money.
create table orders.return (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  order_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('requested', 'approved', 'rejected', 'received', 'refunded', 'credited', 'cancelled')),
  reason_code text not null,
  reason_detail text,
  contact_phone text,
  resolution text not null check (resolution in ('full_refund', 'partial_refund', 'exchange', 'store_credit')),
  -- `[{ order_item_id, quantity }]`.
  items json not null,
  -- Whether the units came back: from then on the order's lines count them.
  received boolean not null default false,
  -- The price that the shopper paid for the returned units; null until they came back. In the order's smallest unit, as
  -- all amounts here.
  worth bigint check (worth >= 0),
  refund_amount bigint check (refund_amount >= 0),
  offer_status text check (offer_status in ('pending', 'accepted', 'withdrawn')),
  offer_amount bigint check (offer_amount > 0),
  exchange_order_id uuid,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade,
  check ((offer_status is null) = (offer_amount is null))
);

create index return_newest on orders.return (store, environment, created_at, id);
create index return_of_customer on orders.return (store, environment, customer_id, created_at, id);
create index return_of_order on orders.return (store, environment, order_id);

-- Disputes about paid orders.
create table orders.dispute (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  order_id uuid not null,
  customer_id uuid not null,
  status text not null check (status in ('open', 'under_review', 'resolved', 'rejected', 'cancelled')),
  reason_code text not null,
  description text not null,
  evidence_urls json not null,
  resolution text check (resolution in ('refund', 'replacement', 'store_credit', 'none')),
  amount bigint check (amount > 0),
  note text,
  resolved_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

create index dispute_newest on orders.dispute (store, environment, created_at, id);
create index dispute_of_customer on orders.dispute (store, environment, customer_id, created_at, id);
-- An order has one undecided dispute.
create unique index dispute_undecided on orders.dispute (store, environment, order_id) where status in ('open', 'under_review');

-- Checkouts over several merchants, in an operator's name.
create table orders.checkout_group (
  operator uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  email text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  primary key (operator, environment, id)
);

-- The order of each merchant in a group. A reset of a merchant's sandbox deletes its row with its order; the group stays
-- with the others.
create table orders.checkout_order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  operator uuid not null,
  group_id uuid not null,
  -- In the order in which the checkout's lines named the merchants.
  position integer not null,
  primary key (store, environment, order_id),
  unique (operator, environment, group_id, position),
  foreign key (operator, environment, group_id) references orders.checkout_group on delete cascade,
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

-- Unpaid orders that a buyer placed alone on a store's page. The sweep cancels them at `due_at` and releases their stock.
create table orders.unpaid (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  -- The tenant's time.
  due_at timestamptz not null,
  primary key (store, environment, order_id)
);

create index unpaid_due on orders.unpaid (due_at);
