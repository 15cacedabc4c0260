-- Search indexes as they were when they were saved last, so that a process that starts reads one instead of building it.
-- Derived from the catalogue: a lost row costs time and nothing else.
create schema search;

create table search.saved_index (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  part text not null,
  -- Of the program that wrote it: another program builds its own.
  format text not null,
  bytes bytea not null,
  primary key (store, environment, part)
);

-- Compressed already.
alter table search.saved_index alter column bytes set storage external;
