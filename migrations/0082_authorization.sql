-- Payments that are authorised first and captured later.
alter table payment.payment
  add column capture text not null default 'automatic',
  -- The amount authorised. After a capture `amount` is the captured part of it.
  add column authorized bigint,
  add column authorized_at timestamptz,
  -- The capture or void that was decided, until the provider has confirmed it; `next_poll_at` is its next try.
  add column ending text,
  add column ending_amount bigint,
  -- The command that decided it.
  add column ending_by uuid;

alter table payment.payment add constraint payment_capture_check
  check (capture in ('automatic', 'manual') and ending in ('capture', 'void') and amount <= authorized) not valid;
alter table payment.payment drop constraint payment_status_check;
alter table payment.payment add constraint payment_status_check check (
  status in ('opening', 'refused', 'pending', 'authorized', 'succeeded', 'failed', 'expired', 'voided', 'refunded')
) not valid;

-- Uncaptured rest of an authorised payment. `amount_due` excludes it.
alter table orders.order add column amount_released bigint not null default 0;
