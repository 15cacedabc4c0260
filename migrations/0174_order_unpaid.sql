-- Orders that a buyer placed by themselves on a store's page and has not paid yet: cancelled when their time is over, so that
-- nothing is kept from others for a payment that never comes.
create table orders.unpaid (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  -- By the tenant's clock.
  due_at timestamptz not null,
  primary key (store, environment, order_id)
);

create index unpaid_due on orders.unpaid (due_at);
