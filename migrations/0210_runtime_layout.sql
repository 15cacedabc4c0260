-- How many logs actors share now, and of which layout: the number of a log is its layout's epoch times 256 and its place.
-- While the logs of the layout before are drained, both are named.

create table runtime.layout (
  only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch >= 0),
  partitions integer not null check (partitions between 1 and 256),
  previous_epoch integer,
  previous_partitions integer,
  -- Of the next change: logs of it have never been written, not even by what came after a backup was made.
  next_epoch integer not null check (next_epoch > epoch),
  changed_at timestamptz not null default now()
);

-- Since when all of a log that takes nothing any more is in runtime.actor.
alter table runtime.partition add column sealed_at timestamptz;
