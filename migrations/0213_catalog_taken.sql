-- How many pieces orders have taken from a level, told with it: its stock actor, which holds the same pieces until it hears
-- what became of each hold, knows then how many of them the level is lowered by already.

alter table catalog.inventory add column taken bigint not null default 0;

create or replace function catalog.move_on_hand() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if new.revision = old.revision then
    -- No revision: an order's, which takes what was held for it, or gives it back.
    new.taken := old.taken + greatest(old.on_hand - new.on_hand, 0);
    insert into catalog.on_hand_change (store, environment, variant_id, before)
    values (new.store, new.environment, new.variant_id, greatest(old.on_hand - old.held, 0))
    on conflict (store, environment, variant_id) do nothing;
  end if;
  return new;
end $$;
