-- Texts of lookbooks in other languages by language: {"de": {"title": …}}; null without any.
alter table content.lookbook add column translations jsonb;
