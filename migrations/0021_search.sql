-- Saved search indexes, so that a starting process reads one instead of building it. The catalogue is the source: a lost row
-- costs time only.
create schema search;

create table search.saved_index (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  part text not null,
  -- The program that wrote the index; another program builds its own.
  format text not null,
  -- Compressed already.
  bytes bytea not null,
  -- A starting process reads the last saved ones first.
  saved_at timestamptz not null default now(),
  primary key (store, environment, part)
);
alter table search.saved_index alter column bytes set storage external;
