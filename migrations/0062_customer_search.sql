-- Outside of a transaction

-- Indexes for the search over a store's customers: how the e-mail address, the whole name and the last name begin.

create index concurrently if not exists customer_of_email_prefix on customer.customer
  (store, environment, email text_pattern_ops) where deleted_at is null;

create index concurrently if not exists customer_of_name_prefix on customer.customer
  (store, environment, lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')) text_pattern_ops)
  where deleted_at is null;

create index concurrently if not exists customer_of_last_name_prefix on customer.customer
  (store, environment, lower(last_name) text_pattern_ops) where deleted_at is null and last_name is not null;
