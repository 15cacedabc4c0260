-- Outside of a transaction: an index that is built beside writers locks none of them out.
-- Customers are listed by their group without regard to letter case.
drop index concurrently if exists customer.customer_of_group_case;
create index concurrently customer_of_group_case
  on customer.customer (store, environment, lower(customer_group), created_at desc, id desc)
  where deleted_at is null;
