-- Outside of a transaction: an index that is built beside writers locks none of them out.
-- Lists of any store that begin or end soon are found by it, without a look at those that wait for later.
drop index concurrently if exists catalog.price_list_starts;
create index concurrently price_list_starts on catalog.price_list (starts_at)
  where deleted_at is null and starts_at is not null and customer_group is null;
drop index concurrently if exists catalog.price_list_ends;
create index concurrently price_list_ends on catalog.price_list (ends_at)
  where deleted_at is null and ends_at is not null and customer_group is null;
