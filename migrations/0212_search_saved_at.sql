-- When an index was saved: what was in use last is what a process that starts reads first.
alter table search.saved_index add column saved_at timestamptz not null default now();
