-- An order that was cancelled takes no payment any more: one that arrives all the same lies in a deposit and goes back, as the
-- second payment of an order does. Cancelling posts `order_cancelled` under the same lock.
create or replace function ledger.receive(
  the_store uuid, the_environment text, the_id uuid, the_kind text, the_reference text, the_source text,
  the_subject uuid, the_order uuid, the_currency text, the_amount bigint, the_time timestamptz
) returns text language plpgsql as $$
declare
  the_surplus boolean := false;
  the_owner uuid := the_order;
begin
  if the_order is not null then
    -- An order that nothing was posted to has no row that could be locked.
    perform pg_advisory_xact_lock(hashtextextended(format('paying %s %s %s', the_store, the_environment, the_order), 0));
    the_surplus := exists (
      select from ledger.posting
      where store = the_store and environment = the_environment and order_id = the_order
        and kind in ('payment_received', 'paid_elsewhere', 'order_cancelled') and reference <> the_reference
    );
    if the_surplus then
      if the_source = 'elsewhere' then
        return 'surplus';
      end if;
      the_owner := null;
    end if;
  end if;
  insert into ledger.posting (store, environment, id, kind, reference, order_id, currency, created_at)
  values (the_store, the_environment, the_id, the_kind, the_reference, the_owner, the_currency, the_time)
  on conflict (store, environment, reference) do nothing;
  if not found then
    return null;
  end if;
  insert into ledger.entry (store, environment, kind, subject, currency, posting, amount)
  values
    (the_store, the_environment, the_source, the_subject, the_currency, the_id, -the_amount),
    (the_store, the_environment, case when the_owner is null then 'deposit' else 'order' end,
      coalesce(the_owner, the_subject), the_currency, the_id, the_amount);
  return case when the_surplus then 'surplus' else 'received' end;
end $$;
