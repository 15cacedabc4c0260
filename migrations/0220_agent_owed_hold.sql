-- What is held of a checkout intent and it says no more: written with the change that says so, gone once it is let go. Without
-- it what could not be let go at once, since the bus was away or the process died, stayed held until the intent's end.
create table agent.owed_hold (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  intent uuid not null,
  -- What the intent promised before.
  offer json not null,
  -- By the real clock.
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index owed_hold_age on agent.owed_hold (created_at);
