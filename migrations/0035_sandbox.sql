-- Sandboxes whose time was moved.
create schema sandbox;

create table sandbox.clock (
  store uuid not null,
  environment text not null check (environment = 'sandbox'),
  -- How far it is ahead of the real time, in ms.
  offset_ms bigint not null check (offset_ms >= 0),
  -- Who moves or resets it now; nobody else does until then, in real time.
  busy uuid,
  busy_until timestamptz,
  -- The command that reset it last.
  reset_by uuid,
  primary key (store, environment)
);
