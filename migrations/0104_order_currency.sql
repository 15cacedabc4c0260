-- Orders and payments in another currency than the store's: their amounts in the currency of the store's books.
alter table orders.order add column books json;
alter table payment.payment add column books jsonb;

-- Adds a statement's entries to their accounts, the only place that does. The exchange accounts have no bound and no row.
create or replace function ledger.apply_entries() returns trigger language plpgsql as $$
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
