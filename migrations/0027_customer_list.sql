-- Customers in the order in which they are listed, all of a store's or those of one group.
create index customer_list on customer.customer (store, environment, created_at desc, id desc)
  where deleted_at is null;
create index customer_of_group on customer.customer (store, environment, customer_group, created_at desc, id desc)
  where deleted_at is null;
