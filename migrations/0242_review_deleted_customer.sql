-- Customers who were deleted: publishable keys do not see whose their reviews are. A row of its own and no mark on the
-- reviews, so that a review that is written while its customer is deleted is covered too.
create table review.deleted_customer (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  customer_id uuid not null,
  primary key (store, environment, customer_id)
);

insert into review.deleted_customer (store, environment, customer_id)
  select c.store, c.environment, c.id from customer.customer c
  where c.deleted_at is not null and exists (
    select from review.review r
    where r.store = c.store and r.environment = c.environment and r.customer_id = c.id and r.deleted_at is null);
