-- When a tenant's ratings are published next, if some are not: a claim ends then, or the pause after a failure. Real time.
alter table review.state add column publish_at timestamptz not null default '-infinity';
