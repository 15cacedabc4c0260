-- Which log a partition's position is of, and when something of it was lost last.

-- The number of the last projected batch, and what tells it from a batch of that number in another log.
alter table runtime.partition add column mark text;
alter table runtime.partition add column lost_at timestamptz;
