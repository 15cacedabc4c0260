-- Days after which kinds of records of a store are deleted: {"events_days": 7}; a kind that is not there has the default.
alter table store.store add column retention jsonb not null default '{}';
