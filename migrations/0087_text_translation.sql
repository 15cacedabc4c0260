-- Texts in other languages by language: {"de": {"name": …}}; null without any.
alter table catalog.category add column translations jsonb;
alter table catalog.collection add column translations jsonb;
alter table content.post add column translations jsonb;
alter table store.policy_version add column translations jsonb;
alter table store.policy_draft add column translations jsonb;
