-- Names of promotions in other languages by language: {"de": {"name": …}}; null without any.
alter table pricing.promotion add column translations jsonb;
