-- Stock levels beside their holds: each change of what is on hand has a number of its own, and what moved a level
-- outside of a catalogue's write waits here until the catalogue takes it in. A row a variant, however often it moved.

alter table catalog.inventory
  -- Counts the changes of on_hand: of two copies of a level the one with the higher number is the newer.
  add column version bigint not null default 1,
  -- Up to which of its actor's facts `held` tells.
  add column held_seq bigint not null default 0;

-- Written with the snapshots of stock actors.
create table catalog.held_change (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  -- Pieces held as of a fact of the variant's actor.
  held integer not null,
  seq bigint not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Written by whoever moves on_hand without a catalogue revision: see the trigger. A table of its own, so that snapshots
-- never wait for an order's transaction.
create table catalog.on_hand_change (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  -- What could be bought before the first of these moves.
  before integer not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Whoever lowers or raises on_hand says no more than that: an order's transaction takes no catalogue revision, which
-- would put all of a tenant's orders one behind the other, and behind its ingestion. A write of the catalogue itself
-- stamps the row with its revision, and nothing is left to be taken in.
create function catalog.move_on_hand() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  if new.revision = old.revision then
    insert into catalog.on_hand_change (store, environment, variant_id, before)
    values (new.store, new.environment, new.variant_id, greatest(old.on_hand - old.held, 0))
    on conflict (store, environment, variant_id) do nothing;
  end if;
  return new;
end $$;

create trigger inventory_on_hand before update of on_hand on catalog.inventory
  for each row when (old.on_hand is distinct from new.on_hand) execute function catalog.move_on_hand();
