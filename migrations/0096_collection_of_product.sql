-- Outside of a transaction

-- The collections of a product, for catalogues that are not in memory.
create index concurrently if not exists collection_product_of_product on catalog.collection_product
  (store, environment, product_id);
