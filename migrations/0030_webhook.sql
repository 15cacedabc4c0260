-- Webhooks: each tenant's log of events, the endpoints that hear of them, and what became of every delivery.
create schema webhook;

create table webhook.event (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- `evt_…`
  id text not null,
  type text not null,
  -- The event's place in the outbox: of two events of one object the later has the larger.
  sequence bigint not null,
  -- By the tenant's clock.
  created_at timestamptz not null,
  -- The envelope as it is sent, byte for byte.
  payload text not null,
  -- The transaction that told of it last, by logging it or by having it sent again: followers read in this order, and
  -- only what no running transaction can still slip in before.
  told xid8 not null default pg_current_xact_id(),
  -- By the real clock: old ones are forgotten.
  logged_at timestamptz not null,
  primary key (store, environment, id)
);
create index event_by_sequence on webhook.event (store, environment, sequence);
create index event_by_type on webhook.event (store, environment, type, sequence);
create index event_by_told on webhook.event (store, environment, told, sequence);
create index event_by_age on webhook.event (logged_at);

create table webhook.endpoint (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  url text not null,
  description text,
  -- Event types; `*` is all of them.
  events text[] not null,
  enabled boolean not null,
  -- Sealed. After a rotation the one before signs too, until then by the tenant's clock.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);
create index endpoint_by_sequence on webhook.endpoint (store, environment, sequence) where deleted_at is null;

-- An endpoint's queue, seen from outside: when to look into it next. Whoever looks locks its row, so that a queue that
-- stands still is passed over at the cost of one row, however long it is.
create table webhook.lane (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  endpoint uuid not null,
  -- By the tenant's clock; infinity: nothing waits.
  ready_at timestamptz not null default 'infinity',
  -- Its endpoint is switched off: what waits goes on waiting.
  paused boolean not null default false,
  primary key (store, environment, endpoint)
);
create index lane_ready on webhook.lane (ready_at) where not paused;
alter table webhook.lane set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table webhook.delivery (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  event text not null,
  endpoint uuid not null,
  -- The event's.
  sequence bigint not null,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'dead_lettered')),
  attempts integer not null default 0,
  -- Attempts since the schedule of retries was begun, or begun anew.
  step integer not null default 0,
  -- Of the last attempt; null where nobody answered.
  response_status integer,
  -- By the tenant's clock; null once nothing more will be tried.
  next_attempt_at timestamptz,
  -- When to look at it, by the tenant's clock: the next attempt, or the time at which one that is under way counts as
  -- lost with the process that made it.
  due_at timestamptz,
  -- The process that attempts it now.
  worker uuid,
  attempt_log jsonb not null default '[]',
  primary key (store, environment, event, endpoint)
);
create index delivery_due on webhook.delivery (store, environment, endpoint, due_at, sequence) where due_at is not null;
create index delivery_by_endpoint on webhook.delivery (store, environment, endpoint, status);
alter table webhook.delivery set (fillfactor = 70);
