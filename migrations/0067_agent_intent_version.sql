-- An order buys what it read: a checkout intent that was changed since is not taken for it.
alter table agent.intent add column version integer not null default 0;

-- Takes each for its order, all by the same clock; of an intent this very version. Answers the first that was used,
-- cancelled, over or changed by then; whoever gets one rolls back. (The one without versions is left for hosts of before.)
create function agent.take(
  the_store uuid, the_environment text, the_offers uuid[], the_orders uuid[], the_versions integer[], the_time timestamptz
) returns uuid language plpgsql as $$
declare
  wanted record;
begin
  -- One order of locking for all.
  for wanted in
    select * from unnest(the_offers, the_orders, the_versions) as asked (id, order_id, version) order by id
  loop
    update agent.quote set order_id = wanted.order_id
    where store = the_store and environment = the_environment and id = wanted.id
      and order_id is null and intent_id is null and expires_at > the_time;
    continue when found;
    update agent.intent set status = 'completed', order_id = wanted.order_id
    where store = the_store and environment = the_environment and id = wanted.id
      and status = 'open' and version = wanted.version and expires_at > the_time;
    if not found then
      return wanted.id;
    end if;
  end loop;
  return null;
end $$;
