-- Exports of the data about a person, and erasures of persons.
create schema privacy;

-- A row is a job until `completed_at`, then the archive until `expires_at`.
create table privacy.export (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  customer uuid not null,
  -- Compressed JSON, sealed; null until it is complete.
  archive bytea,
  -- When the job may be claimed, in real time, or until when it is; null once it is complete.
  due_at timestamptz,
  attempts integer not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- Real time.
  expires_at timestamptz not null,
  primary key (store, environment, id)
);
alter table privacy.export alter column archive set storage external;
create index export_due on privacy.export (due_at) where due_at is not null;
create index export_age on privacy.export (expires_at);
-- A customer has one export.
create unique index export_of_customer on privacy.export (store, environment, customer);

-- One row for each erased person, with the addresses and ids by which records are found until the erasure is complete.
create table privacy.erasure (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- The customer's id.
  id uuid not null,
  reason text not null,
  -- E-mail addresses of the person, in lower case.
  emails text[] not null,
  -- Ids of the erased records and numbers of their parcels, by which logs are searched.
  ids text[] not null default '{}',
  -- When the job may be claimed, in real time, or until when it is; null once it is complete.
  due_at timestamptz,
  attempts integer not null default 0,
  requested_at timestamptz not null,
  completed_at timestamptz,
  primary key (store, environment, id)
);
create index erasure_due on privacy.erasure (due_at) where due_at is not null;
