-- How long the holder of a sandbox's clock has it, unless that is renewed. Apart from the clock, which a transaction that sees
-- the sandbox as of one moment writes after minutes of renewals. A holder without a row is of an older release: its clock's
-- `busy_until` counts, which is no shorter here than any call may last.
create table sandbox.lease (
  store uuid not null,
  environment text not null check (environment = 'sandbox'),
  -- The clock's `busy`; another token than that is over.
  token uuid not null,
  until timestamptz not null,
  primary key (store, environment)
);
