-- Actors that count for nothing any more after some time: their snapshots are swept by it, without waking them.

-- In ms since the epoch; null: it is kept until its kind says that it is over.
alter table runtime.actor add column lapses_at bigint;
create index actor_by_lapse on runtime.actor (lapses_at) where lapses_at is not null;
