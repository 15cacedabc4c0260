-- Money: accounts, postings of two or more entries that add up to zero, and the gift cards whose value accounts hold.
create schema ledger;

-- The ledger is only added to; only a sandbox may be emptied. The reason of a posting, which is text about a person, can be
-- deleted.
create function ledger.refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.environment = 'sandbox' then
    return old;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) = to_jsonb(old) || '{"reason": null}' then
    return new;
  end if;
  raise exception 'the ledger is only added to' using errcode = 'restrict_violation';
end $$;

create function ledger.refuse_truncate() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is only added to' using errcode = 'restrict_violation';
end $$;

-- A balance changes by its entries alone.
create function ledger.refuse_balance() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'a balance changes by its entries' using errcode = 'restrict_violation';
end $$;

-- The sum of an account's entries, stored beside them so that it can be locked and bounded. Sources of value (issued cards,
-- granted credit) have no bound and no row, because all orders of a store would wait for it.
create table ledger.account (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  -- The card, customer, order or payment that the account belongs to.
  subject uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  balance bigint not null,
  primary key (store, environment, kind, subject, currency),
  -- Cards, credit, orders and deposits never give out more than came in. A payment's account is negative by the amount
  -- that it brought in, the most that is ever paid back.
  constraint account_in_bounds check (
    case when kind in ('gift_card', 'store_credit', 'order', 'deposit') then balance >= 0
      when kind in ('payment', 'elsewhere') then balance <= 0
      else false end
  )
);

create trigger account_follows before insert or update on ledger.account
  for each row execute function ledger.refuse_balance();

create trigger account_undeletable before delete on ledger.account
  for each row execute function ledger.refuse_change();

create table ledger.posting (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- UUID version 7: later ones are greater.
  id uuid not null,
  kind text not null,
  -- A name that is posted only once: `payment/<id>`, `refund/<id>/<part>`.
  reference text not null,
  order_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reason text,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, reference)
);

create index posting_order on ledger.posting (store, environment, order_id) where order_id is not null;

create trigger posting_immutable before update or delete on ledger.posting
  for each row execute function ledger.refuse_change();

create trigger posting_not_emptied before truncate on ledger.posting
  execute function ledger.refuse_truncate();

-- Adds a statement's entries to their accounts, the only place that does. One statement writes all entries of a posting.
create function ledger.apply_entries() returns trigger language plpgsql as $$
declare
  line record;
begin
  if exists (select 1 from fresh group by store, environment, posting, currency having sum(amount) <> 0) then
    raise exception 'a posting does not add up to zero' using errcode = 'check_violation';
  end if;
  -- Two postings lock accounts in one order, so that neither blocks the other.
  for line in
    select store, environment, kind, subject, currency, sum(amount)::bigint as amount from fresh
    where kind not in (
      'gift_card_issue', 'store_credit_issue', 'gift_card_exchange', 'store_credit_exchange', 'exchange'
    )
    group by store, environment, kind, subject, currency order by store, environment, kind, subject, currency
  loop
    insert into ledger.account (store, environment, kind, subject, currency, balance)
    values (line.store, line.environment, line.kind, line.subject, line.currency, 0)
    on conflict do nothing;
    update ledger.account set balance = balance + line.amount
    where store = line.store and environment = line.environment and kind = line.kind and subject = line.subject
      and currency = line.currency;
  end loop;
  return null;
end $$;

create table ledger.entry (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  subject uuid not null,
  currency text not null,
  posting uuid not null,
  -- In the currency's smallest unit; what comes in is positive.
  amount bigint not null check (amount <> 0),
  primary key (store, environment, kind, subject, currency, posting),
  foreign key (store, environment, posting) references ledger.posting on delete cascade
);

create index entry_posting on ledger.entry (store, environment, posting);

create trigger entry_applied after insert on ledger.entry
  referencing new table as fresh for each statement execute function ledger.apply_entries();

create trigger entry_immutable before update or delete on ledger.entry
  for each row execute function ledger.refuse_change();

create trigger entry_not_emptied before truncate on ledger.entry
  execute function ledger.refuse_truncate();

create table ledger.gift_card (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- A gift card's code is found by its SHA-256 and shown to its owners from the sealed text.
  code_hash bytea not null check (octet_length(code_hash) = 32),
  code bytea not null,
  code_last4 text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  initial_amount bigint not null check (initial_amount > 0),
  -- Whether `gift_card.expired` was sent.
  expiry_published boolean not null default false,
  disabled_at timestamptz,
  customer_id uuid,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, code_hash)
);

create index gift_card_customer on ledger.gift_card (store, environment, customer_id, created_at, id)
  where customer_id is not null;
create index gift_card_expiry on ledger.gift_card (expires_at)
  where expires_at is not null and not expiry_published and disabled_at is null;

-- A store's gift cards, newest first, and by the last letters of their codes.
create index gift_card_newest on ledger.gift_card
  (store, environment, created_at desc, id desc);

create index gift_card_of_ending on ledger.gift_card
  (store, environment, reverse(code_last4) text_pattern_ops);
