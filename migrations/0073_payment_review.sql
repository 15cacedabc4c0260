-- Success was told of a payment with an amount or currency that is missing, unreadable or not its own, or money of it is
-- still to go back that no order holds: a person has to look at it.
alter table payment.payment
  add column needs_review boolean not null default false,
  -- The order was paid before: what this one brought in goes back, outside of the order's figures.
  add column surplus boolean not null default false;

create index payment_review on payment.payment (store, environment) where needs_review;
create index payment_pending on payment.payment (changed_at) where status = 'pending';
create index payment_of_order on payment.payment (store, environment, order_id) where order_id is not null;
create index payment_listed on payment.payment (store, environment, created_at, id);
