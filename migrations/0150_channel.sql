-- Where catalogues go beside the store itself, and what each place has been told.
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
  -- Failed pushes in a row, and what the last one failed with.
  failures integer not null default 0,
  last_error text,
  -- Everything is pushed anew, whatever was told before.
  whole boolean not null default true,
  -- Of the sync that runs, or the last one: so many products to push, accepted, rejected.
  items_total integer not null default 0,
  items_pushed integer not null default 0,
  items_rejected integer not null default 0,
  -- By the tenant's clock.
  due_at timestamptz not null,
  last_sync_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Who pushes, by the real clock.
  worker uuid,
  leased_until timestamptz,
  primary key (store, environment, id)
);

create index channel_due on channel.channel (due_at) where status <> 'paused';

create table channel.item (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  channel uuid not null,
  product uuid not null,
  -- What the catalogue said of the product when it was pushed.
  digest bigint not null,
  -- Null: accepted.
  rejection text,
  pushed_at timestamptz not null,
  primary key (store, environment, channel, product),
  foreign key (store, environment, channel) references channel.channel (store, environment, id) on delete cascade
);

create index item_rejection on channel.item (store, environment, channel, pushed_at desc, product desc)
  where rejection is not null;
