-- Outside of a transaction

-- Indexes for the search over a store's orders: by the beginning of an e-mail address, and by SKU.

create index concurrently if not exists order_of_email_prefix on orders.order
  (store, environment, normalize(lower(normalize(email, NFC)), NFC) text_pattern_ops);

create index concurrently if not exists line_of_sku on orders.line (store, environment, sku) where sku is not null;
