-- Outside of a transaction

-- Product lists of catalogues that are not in memory, in the orders of their sorts. Prices sort without an index of their own.
create index concurrently if not exists product_newest on catalog.product
  (store, environment, created_at desc, id desc) include (is_active) where deleted_at is null;

create index concurrently if not exists product_of_category on catalog.product
  (store, environment, category_id, created_at desc, id desc) where deleted_at is null and category_id is not null;

create index concurrently if not exists product_of_subcategory on catalog.product
  (store, environment, subcategory_id, created_at desc, id desc) where deleted_at is null and subcategory_id is not null;

create index concurrently if not exists product_featured on catalog.product
  (store, environment, (featured::integer) desc, (case when featured then -featured_order else 0 end) desc,
    created_at desc, id desc) where deleted_at is null;

create index concurrently if not exists product_rated on catalog.product
  (store, environment, (coalesce(average_rating, 0)) desc, review_count desc, created_at desc, id desc)
  where deleted_at is null;

create index concurrently if not exists product_featured_newest on catalog.product
  (store, environment, created_at desc, id desc) where deleted_at is null and featured;
