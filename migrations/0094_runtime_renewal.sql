-- Sandboxes that begin anew: who works for one by himself is kept out meanwhile, and what he was told before counts for
-- nothing afterwards.
create table runtime.renewal (
  store uuid not null,
  environment text not null check (environment = 'sandbox'),
  -- Until then nobody but the reset writes for it; null: it is open. By the database's clock.
  shut_until timestamptz,
  -- What was told before this place in line is of an earlier life.
  since bigint not null default 0,
  primary key (store, environment)
);
