-- The runtime's own tables: events, answers of idempotent requests, actors' snapshots and the logs that they come from. The
-- migration runner makes the schema and `runtime.migration`.

-- A queue of events to publish. A row holds the events that one statement emitted for one tenant. Rows live for
-- milliseconds, so compression is wasted, and vacuum runs often enough that dead rows do not pile up.
create table runtime.outbox (
  -- The place of the row's last event.
  position bigint generated always as identity primary key,
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- One line for each event: `<type> <id>`.
  heads text not null,
  positions bigint[] not null,
  -- One line for each event: its envelope without the end. Null once the events are in runtime.event and may be published.
  drafts text
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000, toast.autovacuum_vacuum_scale_factor = 0,
  toast.autovacuum_vacuum_threshold = 2000
);
alter table runtime.outbox
  alter column heads set storage external, alter column drafts set storage external, alter column heads set statistics 0,
  alter column positions set statistics 0, alter column drafts set statistics 0;

create index outbox_unlogged on runtime.outbox (position) where drafts is not null;

-- The log of all events. The outbox fills it inside the database; consumers get only a notice over the bus and read the
-- events here. Statistics stay small: queries use keys alone, and analyze runs often while the table grows.
create table runtime.event (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- `evt_…`
  id text not null,
  type text not null,
  -- The event's place in the outbox: of two events of one object the later has the larger.
  sequence bigint not null,
  -- The envelope as it is sent, byte for byte.
  payload text not null,
  -- The transaction that logged the event or had it sent again. Followers read in this order, up to the oldest transaction
  -- that still runs.
  transaction_id xid8 not null default pg_current_xact_id(),
  -- Real time; retention deletes old events by it.
  logged_at timestamptz not null,
  -- The tenant's time.
  created_at timestamptz not null,
  primary key (store, environment, id)
);
alter table runtime.event
  alter column store set statistics 10, alter column environment set statistics 10, alter column id set statistics 10,
  alter column type set statistics 10, alter column sequence set statistics 10, alter column created_at set statistics 10,
  alter column payload set statistics 0, alter column transaction_id set statistics 10, alter column logged_at set statistics 10;

create index event_by_sequence on runtime.event (store, environment, sequence);
create index event_by_type on runtime.event (store, environment, type, sequence);
create index event_by_transaction on runtime.event (store, environment, transaction_id, sequence);
create index event_by_age on runtime.event (logged_at);

-- lz4 compresses long texts faster than pglz, where the server was built with it.
do $$ begin
  alter table runtime.event alter column payload set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;

-- The events that a consumer has handled.
create table runtime.inbox (
  consumer text not null,
  event text not null,
  handled_at timestamptz not null default now(),
  primary key (consumer, event)
);

create index inbox_by_age on runtime.inbox (handled_at);

-- The events that a consumer failed to handle at every attempt.
create table runtime.dead_event (
  consumer text not null,
  event text not null,
  payload text not null,
  problem text not null,
  died_at timestamptz not null default now(),
  primary key (consumer, event)
);

create index dead_event_age on runtime.dead_event (died_at);

-- Stored responses of requests that had an idempotency key.
create table runtime.idempotency (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- SHA-256 of scope and key.
  key bytea not null check (octet_length(key) = 32),
  -- SHA-256 of the request's body, in hex.
  fingerprint text not null,
  -- Sealed under the master key.
  answer bytea not null,
  -- True: the whole response. False: the actor's answer that the response is rendered from.
  rendered boolean not null default true,
  -- The tenant's time.
  expires_at timestamptz not null,
  primary key (store, environment, key)
);
alter table runtime.idempotency alter column answer set storage external;

create index idempotency_by_expiry on runtime.idempotency (expires_at);

-- How many logs actors share, and in which layout. A log's number is its layout's epoch times 256 plus its place. Both
-- layouts are named while the previous one's logs are drained.
create table runtime.layout (
  only_row boolean default true primary key check (only_row),
  epoch integer not null check (epoch >= 0),
  partitions integer not null check (partitions between 1 and 256),
  previous_epoch integer,
  previous_partitions integer,
  -- The epoch of the next change. No log of it was ever written, not even after the backup that this database may come
  -- from.
  next_epoch integer not null,
  changed_at timestamptz not null default now(),
  check (next_epoch > epoch)
);

-- How far each log was projected into runtime.actor.
create table runtime.partition (
  partition integer primary key check (partition >= 0),
  -- The last projected batch, and its sequence in the log.
  batch bigint not null default 0,
  sequence bigint not null default 0,
  -- Tells the last projected batch from one of the same number in another log. Null: no batch was projected.
  nonce text,
  -- When something of the log was lost last.
  lost_at timestamptz,
  -- When the log ended and all of it was in runtime.actor. Null: the log is in use.
  sealed_at timestamptz,
  projected_at timestamptz not null default now(),
  -- The row of an ended log never changes again: a host that stood still while the log ended cannot move it on.
  constraint partition_sealed_check check (sealed_at is null or sequence = 0)
) with (fillfactor = 50);

-- Each actor's state as of the last projected batch of its log. Rows of busy actors are written several times a second.
-- Statistics stay small: queries use keys alone, and analyze runs often while the table grows.
create table runtime.actor (
  -- All zeros for an actor that belongs to no store.
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  id text not null,
  partition integer not null,
  -- When the actor's next alarm rings, in ms since the epoch by the tenant's clock.
  due_at bigint,
  -- When retention deletes the row without waking the actor, in ms since the epoch. Null: the actor's kind decides.
  expires_at bigint,
  -- The format of `state` within the actor's kind. A release that does not know it refuses the actor.
  format smallint not null default 1,
  -- JSON, as the actor's kind wrote it.
  state text not null,
  changed_at timestamptz not null default now(),
  primary key (store, environment, kind, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
alter table runtime.actor
  alter column store set statistics 10, alter column environment set statistics 10, alter column kind set statistics 10,
  alter column id set statistics 10, alter column partition set statistics 10, alter column due_at set statistics 10,
  alter column state set statistics 0, alter column changed_at set statistics 10, alter column expires_at set statistics 10;

create index actor_by_due on runtime.actor (partition, due_at) where due_at is not null;
create index actor_by_expiry on runtime.actor (expires_at) where expires_at is not null;

-- lz4 compresses long texts faster than pglz, where the server was built with it.
do $$ begin
  alter table runtime.actor alter column state set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;

-- A sandbox's one lock. A transaction that writes for the sandbox locks its row `for key share`; a reset locks it `for
-- update`, waits for those transactions and lets no other begin. One call moves the clock or resets the sandbox: the
-- `holder`.
create table runtime.sandbox (
  store uuid not null,
  environment text not null default 'sandbox' check (environment = 'sandbox'),
  -- The call that moves the clock or resets the sandbox; its lease counts by the database's clock.
  holder uuid,
  leased_until timestamptz,
  -- While the lease lasts, only the holder writes for the sandbox.
  shut boolean not null default false,
  -- The outbox position of the last reset: events with smaller positions are of an earlier generation.
  generation bigint not null default 0,
  -- The command that reset the sandbox last.
  reset_by uuid,
  -- How far the sandbox's clock is ahead of real time, in ms.
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  primary key (store, environment)
);

create index sandbox_moved on runtime.sandbox (store) where offset_ms > 0;

-- The audit log: who changed which record. A call's record is written in the transaction that has the call's effect.
create table runtime.audit (
  -- An operator's own records are under the operator's id.
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The tenant's time.
  created_at timestamptz not null,
  -- Real time; retention deletes old records by it.
  recorded_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('key', 'staff', 'app', 'operator_key', 'command_line', 'program')),
  -- Id of the key, person or grant; null for callers of the internal gRPC.
  actor text,
  actor_name text,
  -- Verb and path; null for a call over gRPC.
  endpoint text,
  operation text not null,
  resource text not null,
  resource_id text,
  -- JSON of `before`, `after` and `shortened`, without secrets.
  change text not null,
  address text,
  request_id text,
  primary key (store, environment, created_at, id)
);
alter table runtime.audit
  alter column id set statistics 0, alter column change set statistics 0, alter column address set statistics 0,
  alter column request_id set statistics 0;

-- Each filter of the list is one of these in order, newest first.
create index audit_by_actor on runtime.audit (store, environment, actor, created_at, id);
create index audit_by_resource on runtime.audit (store, environment, resource, created_at, id);
create index audit_by_record on runtime.audit (store, environment, resource_id, created_at, id)
  where resource_id is not null;
create index audit_by_age on runtime.audit (recorded_at);

do $$ begin
  alter table runtime.audit alter column change set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;
