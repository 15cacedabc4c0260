-- The completion of a checkout that a token is set aside for, which is the same at each of its retries: one that was cut off
-- before the checkout's total changed takes the token over from itself. Null: none, or an older release's.
alter table payment.token add column completion uuid;
