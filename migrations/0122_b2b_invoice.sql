-- Invoices: what of a confirmed purchase order is to be paid, by when, and whether it was.

create table b2b.invoice (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  number bigint not null,
  purchase_order_id uuid not null,
  order_id uuid not null,
  customer_id uuid not null,
  -- Issued ones are overdue from `overdue_at` on: that is written down nowhere.
  status text not null check (status in ('issued', 'paid', 'void')),
  currency text not null,
  tax_inclusive boolean not null,
  -- Pieces of the purchase order's items, with what tax is in each, in minor units.
  items json not null,
  subtotal bigint not null check (subtotal >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  total bigint not null check (total >= 0),
  payment_terms text not null,
  due_at timestamptz not null,
  overdue_at timestamptz not null,
  overdue_told boolean not null default false,
  paid_at timestamptz,
  -- How it was paid, as the store notes it.
  reference text,
  -- Of its issue.
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, number),
  foreign key (store, environment, purchase_order_id) references b2b.purchase_order
);

create index invoice_list on b2b.invoice (store, environment, created_at desc, id desc);
create index invoice_of_customer on b2b.invoice (store, environment, customer_id, created_at desc, id desc);
create index invoice_of_purchase_order on b2b.invoice (store, environment, purchase_order_id);
create index invoice_due on b2b.invoice (overdue_at) where status = 'issued' and not overdue_told;
create index invoice_due_of_tenant on b2b.invoice (store, environment, overdue_at)
  where status = 'issued' and not overdue_told;

-- What of each item is on an invoice that is not void: pieces, and of each of its taxes how much.
alter table b2b.purchase_order add column invoiced json not null default '{}';

-- Its order is cancelled: nothing of it is to be paid any more.
create or replace function b2b.cancel(the_store uuid, the_environment text, the_order uuid) returns void language plpgsql as $$
declare
  cancelled uuid;
begin
  -- The purchase order first: what issues or voids an invoice of it locks it first, too.
  update b2b.purchase_order set status = 'cancelled'
  where store = the_store and environment = the_environment and order_id = the_order and status <> 'cancelled'
  returning id into cancelled;
  update b2b.invoice set status = 'void'
  where store = the_store and environment = the_environment and purchase_order_id = cancelled and status = 'issued';
end $$;
