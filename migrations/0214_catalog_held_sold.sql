-- What an order takes was held for it, and leaves what is held with the same statement, so that it is missing once in all
-- that is shown. What a stock actor tells of its holds may be from before that or from after: it says how many pieces it
-- knows to be sold, and what orders took beyond those is not held any more.

-- Null: told by an earlier release.
alter table catalog.held_change add column sold bigint;

create or replace function catalog.move_on_hand() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if new.revision = old.revision then
    -- No revision: an order's, which takes what was held for it, or gives it back.
    new.taken := old.taken + greatest(old.on_hand - new.on_hand, 0);
    new.held := greatest(old.held - greatest(old.on_hand - new.on_hand, 0), 0);
    insert into catalog.on_hand_change (store, environment, variant_id, before)
    values (new.store, new.environment, new.variant_id, greatest(old.on_hand - old.held, 0))
    on conflict (store, environment, variant_id) do nothing;
  end if;
  return new;
end $$;
