-- Whether a job checks and counts its rows without writing products.
alter table catalog.ingestion_job add column dry_run boolean not null default false;
