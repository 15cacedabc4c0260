-- Purchase orders: what a buyer orders of an accepted quote, and the order that the store makes of it.

create table b2b.purchase_order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  quote_id uuid not null,
  customer_id uuid not null,
  -- The buyer as he was when he ordered.
  email text not null,
  buyer_name text,
  po_number text not null,
  status text not null check (status in ('issued', 'confirmed', 'fulfilled', 'cancelled')),
  currency text not null,
  tax_inclusive boolean not null,
  -- As they were quoted, under ids of their own.
  items json not null,
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  shipping_address json not null,
  billing_address json,
  order_id uuid,
  -- The commands that confirmed and fulfilled it: a retry finds that it was itself.
  confirmed_by uuid,
  confirmed_at timestamptz,
  fulfilled_by uuid,
  fulfilled_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id),
  -- "an accepted quote's, once"; a cancelled one's quote stays spent.
  unique (store, environment, quote_id),
  -- "once a customer"; a cancelled one's number stays used.
  unique (store, environment, customer_id, po_number),
  check ((order_id is not null) or status in ('issued', 'cancelled'))
);

create index purchase_order_list on b2b.purchase_order (store, environment, created_at desc, id desc);
create index purchase_order_of_customer on b2b.purchase_order (store, environment, customer_id, created_at desc, id desc);
create index purchase_order_of_order on b2b.purchase_order (store, environment, order_id) where order_id is not null;

-- What the transaction of its order does to a purchase order. False: it was moved on meanwhile; who gets that rolls back.
create function b2b.confirm(
  the_store uuid, the_environment text, the_purchase_order uuid, the_order uuid, the_command uuid,
  the_time timestamptz
) returns boolean language plpgsql as $$
begin
  update b2b.purchase_order set status = 'confirmed', order_id = the_order, confirmed_by = the_command,
    confirmed_at = the_time
  where store = the_store and environment = the_environment and id = the_purchase_order and status = 'issued';
  return found;
end $$;

create function b2b.fulfil(
  the_store uuid, the_environment text, the_purchase_order uuid, the_order uuid, the_command uuid,
  the_time timestamptz
) returns boolean language plpgsql as $$
begin
  update b2b.purchase_order set status = 'fulfilled', fulfilled_by = the_command, fulfilled_at = the_time
  where store = the_store and environment = the_environment and id = the_purchase_order and order_id = the_order
    and status = 'confirmed';
  return found;
end $$;

-- Its order is cancelled.
create function b2b.cancel(the_store uuid, the_environment text, the_order uuid) returns void language sql as $$
  update b2b.purchase_order set status = 'cancelled'
  where store = the_store and environment = the_environment and order_id = the_order and status <> 'cancelled';
$$;
