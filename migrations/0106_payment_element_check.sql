-- Outside of a transaction

-- The check of payments' types over the rows from before.
alter table payment.payment validate constraint payment_type_check;
