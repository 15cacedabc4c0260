-- Outside of a transaction
-- Releases to be tried, by the time of their next attempt.
create index concurrently if not exists pending_release_due on agent.pending_release (due_at);
