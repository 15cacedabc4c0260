-- When a job may be claimed, in real time, if it is first in its tenant's queue.
alter table catalog.ingestion_job add column due_at timestamptz not null default now();
