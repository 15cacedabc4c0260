-- Payments at providers are looked after: what no report told is asked for, less and less often.
alter table payment.payment
  -- When its provider is asked next; null: nobody asks by itself. Real time.
  add column next_look_at timestamptz,
  add column looks integer not null default 0;

create index payment_look on payment.payment (next_look_at) where next_look_at is not null;
create index refund_of_payment on payment.refund (store, environment, payment_id);
