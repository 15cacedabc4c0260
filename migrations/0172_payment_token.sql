-- Payment tokens: an assistant was given one by its buyer, and an order's own transaction takes what it pays. Those of the
-- sandbox's simulator are here; a provider keeps its own.
create table payment.token (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- SHA-256 of its text.
  hash bytea not null,
  -- The checkout intent that it is for, and what it may pay at most.
  intent uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_max bigint not null check (amount_max > 0),
  -- Whether its card is declined.
  declines boolean not null,
  -- The payment that it is set aside for, and until when (real time) unless an order takes that.
  payment uuid,
  claimed_until timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, hash)
);

-- Paid by a token, and not by a buyer at the provider's page.
alter table payment.payment add column delegated boolean not null default false;

-- The order takes what a token stands for, within its own transaction; false where that is not set aside for it any more.
create function payment.take(
  the_store uuid, the_environment text, the_payment uuid, the_order uuid, the_number text
) returns boolean language plpgsql as $$
begin
  if not exists (
    select from payment.payment p
    where p.store = the_store and p.environment = the_environment and p.id = the_payment and p.account is not null
    union all
    select from (
      select 1 from payment.token
      where store = the_store and environment = the_environment and payment = the_payment for update
    ) as claimed
  ) then
    return false;
  end if;
  update payment.payment
  set order_id = the_order, order_number = the_number, status = 'pending', session_id = coalesce(session_id, reference),
    claimed_until = null, next_look_at = now(), changed_at = now()
  where store = the_store and environment = the_environment and id = the_payment
    and delegated and status = 'opening' and order_id is null;
  return found;
end $$;
