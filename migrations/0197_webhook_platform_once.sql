-- Outside of a transaction: an index that is built beside writers locks none of them out.
-- A platform has one endpoint for each address by which it found the store.
drop index concurrently if exists webhook.endpoint_platform;
create unique index concurrently endpoint_platform on webhook.endpoint (store, environment, url, found_at)
  where found_at is not null and deleted_at is null;
alter table webhook.endpoint validate constraint endpoint_format_check;
