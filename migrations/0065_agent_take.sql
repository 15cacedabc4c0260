-- Quotes and checkout intents are used within the transaction that is the order: each by the one that comes first.

-- Takes each for its order, all by the same clock. Answers the first that was used, cancelled or over by then; whoever
-- gets one rolls back.
create function agent.take(
  the_store uuid, the_environment text, the_offers uuid[], the_orders uuid[], the_time timestamptz
) returns uuid language plpgsql as $$
declare
  wanted record;
begin
  -- One order of locking for all.
  for wanted in select * from unnest(the_offers, the_orders) as asked (id, order_id) order by id loop
    update agent.quote set order_id = wanted.order_id
    where store = the_store and environment = the_environment and id = wanted.id
      and order_id is null and intent_id is null and expires_at > the_time;
    continue when found;
    update agent.intent set status = 'completed', order_id = wanted.order_id
    where store = the_store and environment = the_environment and id = wanted.id
      and status = 'open' and expires_at > the_time;
    if not found then
      return wanted.id;
    end if;
  end loop;
  return null;
end $$;
