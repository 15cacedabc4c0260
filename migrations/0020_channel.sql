-- Sales channels outside of the store, and the products that each one has.
create schema channel;

create table channel.channel (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  provider text not null,
  name text not null,
  url text not null,
  format text not null check (format in ('stoa', 'google', 'acp')),
  -- Sealed.
  secret bytea not null,
  status text not null check (status in ('connected', 'failing', 'paused')),
  -- When a push of everything started. A product that was pushed later is not pushed again where a process died. Null:
  -- only changes are pushed.
  full_sync_since timestamptz,
  -- Failed pushes in a row, and the error of the last one.
  failures integer not null default 0,
  last_error text,
  -- The running or last sync's products: to push, accepted, rejected.
  items_total integer not null default 0,
  items_pushed integer not null default 0,
  items_rejected integer not null default 0,
  -- The tenant's time.
  due_at timestamptz not null,
  last_sync_at timestamptz,
  -- The process that pushes, until `leased_until` by the real clock.
  worker uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Language of the texts that are pushed; null for the store's default one.
  language text,
  primary key (store, environment, id)
);

create index channel_due on channel.channel (due_at) where status <> 'paused';

create table channel.item (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  channel uuid not null,
  product uuid not null,
  -- The product's content as it was pushed.
  digest bigint not null,
  -- Null: accepted.
  rejection text,
  pushed_at timestamptz not null,
  primary key (store, environment, channel, product),
  foreign key (store, environment, channel) references channel.channel on delete cascade
);

create index item_rejection on channel.item (store, environment, channel, pushed_at desc, product desc)
  where rejection is not null;
