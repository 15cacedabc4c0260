-- Outside of a transaction
-- Unfinished jobs, by the time from which they may be claimed.
create index concurrently if not exists ingestion_job_due on catalog.ingestion_job (due_at)
  where status in ('queued', 'running');
