-- Outside of a transaction: an index that is built beside writers locks none of them out.
-- Article numbers are looked up without regard to letter case. The tenant's revision, which a write of its catalogue holds,
-- keeps two from taking one at once; numbers that differ in case alone from before stay as they are.
drop index concurrently if exists catalog.variant_sku_case;
create index concurrently variant_sku_case on catalog.variant (store, environment, lower(sku))
  where sku is not null and deleted_at is null;
