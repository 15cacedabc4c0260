-- Payments whose card fields stand on the shop's own page.
alter table payment.payment drop constraint payment_type_check;
alter table payment.payment add constraint payment_type_check check (type in ('redirect', 'push', 'element')) not valid;
