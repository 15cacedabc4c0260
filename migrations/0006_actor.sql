-- What the actor host keeps beside its journal: how far each partition was projected, and each actor's state as of then.

create table runtime.partition (
  partition integer primary key check (partition >= 0),
  -- The last batch of the partition's log whose facts are in runtime.actor, and the sequence it has there.
  batch bigint not null default 0,
  sequence bigint not null default 0,
  -- How many partitions there are: actors are spread over them by it, so it never changes.
  total integer not null,
  projected_at timestamptz not null default now()
);
alter table runtime.partition set (fillfactor = 50);

create table runtime.actor (
  -- All zeros for actors that belong to no store.
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  id text not null,
  partition integer not null,
  -- When it wants to be told that time has come, in ms since the epoch by the tenant's clock.
  due_at bigint,
  -- JSON, as its kind wrote it.
  state text not null,
  changed_at timestamptz not null default now(),
  primary key (store, environment, kind, id)
);
-- Hot rows are written several times a second.
alter table runtime.actor set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index actor_by_due on runtime.actor (partition, due_at) where due_at is not null;

-- What is kept of a keyed command: the whole response, or (false) the actor's answer that the response is made from.
alter table runtime.idempotency add column rendered boolean not null default true;
