-- Outside of a transaction

-- Checks of authorised payments over the rows from before, and the index of simulated ones that lapse.

alter table payment.payment validate constraint payment_capture_check;
alter table payment.payment validate constraint payment_status_check;

create index concurrently if not exists payment_expiry_simulated on payment.payment (expires_at)
  where status in ('pending', 'authorized') and account is null;

-- Contract: `payment_expiry_simulated` takes its place.
drop index concurrently if exists payment.payment_expiry;
