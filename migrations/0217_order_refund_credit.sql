-- Whether the customer has a refund as store credit, and not the way it came. Until now it was told of none.
alter table orders.refund add column as_store_credit boolean not null default false;
