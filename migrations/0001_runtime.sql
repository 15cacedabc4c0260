-- What the runtime itself keeps: events on their way out, notes of those that came in, answers of keyed requests.
-- The table of applied migrations, runtime.migration, is made by the one who applies them.

create table runtime.outbox (
  position bigint generated always as identity primary key,
  -- `evt_…`, the event's name for ever.
  id text not null,
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  type text not null,
  -- The finished envelope, as it will be sent.
  payload text not null,
  written_at timestamptz not null default now()
);
-- A queue: rows live for milliseconds. Compressing them is wasted, and the dead ones must not pile up.
alter table runtime.outbox alter column payload set storage external;
alter table runtime.outbox set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 2000
);

create table runtime.inbox (
  consumer text not null,
  event text not null,
  handled_at timestamptz not null default now(),
  primary key (consumer, event)
);
create index inbox_by_age on runtime.inbox (handled_at);

-- Events that a consumer could not handle however often it tried.
create table runtime.dead_event (
  consumer text not null,
  event text not null,
  payload text not null,
  problem text not null,
  died_at timestamptz not null default now(),
  primary key (consumer, event)
);

create table runtime.idempotency (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- SHA-256 of scope and key.
  key bytea not null check (octet_length(key) = 32),
  -- SHA-256 of the request's body, in hex.
  fingerprint text not null,
  -- Sealed under the master key.
  answer bytea not null,
  -- By the tenant's clock.
  expires_at timestamptz not null,
  primary key (store, environment, key)
);
alter table runtime.idempotency alter column answer set storage external;
create index idempotency_by_expiry on runtime.idempotency (expires_at);
