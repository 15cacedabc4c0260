-- Outside of a transaction

-- The adjustments of one variant, newest first.
create index concurrently if not exists adjustment_of_variant on catalog.inventory_adjustment
  (store, environment, variant_id, created_at desc, id desc);
