-- Checkouts over several merchants: the operator's group, and the order of each merchant that belongs to it.
create table orders.checkout_group (
  operator uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  email text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  primary key (operator, environment, id)
);

-- A merchant's row goes with its order where its sandbox is reset; the group stays with the others.
create table orders.checkout_order (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  order_id uuid not null,
  operator uuid not null,
  group_id uuid not null,
  -- In which order the lines named the merchants.
  position integer not null,
  primary key (store, environment, order_id),
  unique (operator, environment, group_id, position),
  foreign key (operator, environment, group_id) references orders.checkout_group on delete cascade,
  foreign key (store, environment, order_id) references orders.order on delete cascade
);
