-- Payments of checkouts over several merchants. The operator's payment is one for the whole group; once it has succeeded
-- each merchant has its own share of it, a payment in its own books, and refunds go back through the whole.
alter table payment.payment
  add column checkout_group_id uuid,
  -- Of an operator's payment: `[{ store, order_id, order_number, amount }]`, which add up to its amount.
  add column shares json,
  -- Of a merchant's share: the payment that brought it in, and whose that is.
  add column whole_operator uuid,
  add column whole_payment uuid,
  add check ((shares is null) or (checkout_group_id is not null and order_id is null)),
  add check ((whole_operator is null) = (whole_payment is null));

create index payment_group on payment.payment (store, environment, checkout_group_id)
  where checkout_group_id is not null;
create index payment_share on payment.payment (whole_payment) where whole_payment is not null;
