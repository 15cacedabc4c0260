-- Ingestion: jobs that take in what was pushed or fetched, their errors, and the feeds that are fetched.

-- Acknowledged is durable: the payload is committed with the job. One job a tenant runs at a time, in the order of
-- `sequence`; whoever runs it holds a lease in real time, and its progress is committed with each batch of rows.
create table catalog.ingestion_job (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  -- The feed that it fetches; null for a push.
  feed_id uuid,
  mode text not null check (mode in ('upsert', 'replace')),
  format text not null check (format in ('json', 'ndjson', 'csv', 'google_xml')),
  url text,
  mapping json not null default '{}',
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  -- Compressed; null before it is fetched and after the job's end.
  payload bytea,
  rows_total integer not null default 0,
  rows_done integer not null default 0,
  rows_created integer not null default 0,
  rows_updated integer not null default 0,
  rows_unchanged integer not null default 0,
  rows_failed integer not null default 0,
  rows_deactivated integer not null default 0,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  -- Times that it was begun without getting a row further.
  attempts integer not null default 0,
  primary key (store, environment, id)
);

alter table catalog.ingestion_job alter column payload set storage external;
create unique index ingestion_job_running on catalog.ingestion_job (store, environment) where status = 'running';
create index ingestion_job_open on catalog.ingestion_job (sequence) where status in ('queued', 'running');
create index ingestion_job_newest on catalog.ingestion_job (store, environment, sequence);
create index ingestion_job_feed on catalog.ingestion_job (store, environment, feed_id, sequence) where feed_id is not null;

create table catalog.ingestion_error (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  job_id uuid not null,
  number integer not null,
  -- Null where it is the whole job's.
  row integer,
  external_id text,
  code text not null,
  param text,
  message text not null,
  primary key (store, environment, job_id, number)
);

-- What a `replace` has named so far, so that a job begun again still knows what was left out.
create table catalog.ingestion_seen (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  job_id uuid not null,
  external_id text not null,
  primary key (store, environment, job_id, external_id)
);

create table catalog.ingestion_feed (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  name text not null,
  url text not null,
  format text not null check (format in ('json', 'ndjson', 'csv', 'google_xml')),
  mode text not null check (mode in ('upsert', 'replace')),
  mapping json not null,
  interval_minutes integer check (interval_minutes > 0),
  -- By the tenant's clock.
  next_sync_at timestamptz,
  last_sync_at timestamptz,
  last_status text check (last_status in ('completed', 'failed')),
  last_job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index ingestion_feed_newest on catalog.ingestion_feed (store, environment, sequence) where deleted_at is null;
create index ingestion_feed_due on catalog.ingestion_feed (next_sync_at) where deleted_at is null and next_sync_at is not null;
