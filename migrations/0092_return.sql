-- Returns of orders: what a shopper sends back, what became of it, and the store credit that was offered instead of money.
create table orders.return (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  order_id uuid not null,
  customer_id uuid not null,
  status text not null check (
    status in ('requested', 'approved', 'rejected', 'received', 'refunded', 'credited', 'cancelled')
  ),
  reason_code text not null,
  reason_detail text,
  contact_phone text,
  resolution text not null check (resolution in ('full_refund', 'partial_refund', 'exchange', 'store_credit')),
  -- `[{ order_item_id, quantity }]`.
  items json not null,
  -- Whether its pieces came back: from then on the order's lines count them.
  received boolean not null default false,
  -- What the pieces that came back cost the shopper; null until then. In the order's smallest unit, as all amounts here.
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
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (store, environment, id),
  foreign key (store, environment, order_id) references orders.order on delete cascade
);

create index dispute_newest on orders.dispute (store, environment, created_at, id);
create index dispute_of_customer on orders.dispute (store, environment, customer_id, created_at, id);
-- One undecided dispute an order.
create unique index dispute_undecided on orders.dispute (store, environment, order_id)
  where status in ('open', 'under_review');

-- What shoppers are told of their returns.
alter table mail.message drop constraint message_kind_check;
alter table mail.message add check (
  kind in ('reset_password', 'magic_link', 'otp', 'return_received', 'return_decided', 'credit_offered')
);
