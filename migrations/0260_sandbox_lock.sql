-- Contract: a sandbox has one lock. Its row replaces `runtime.renewal`, `sandbox.clock` and `sandbox.lease`.
-- Every transaction that writes for a sandbox locks the row `for key share`. A reset locks it `for update`, so that it waits for
-- those transactions and no other begins. Only one call moves the clock or resets the sandbox: the `holder`.
create table runtime.sandbox (
  store uuid not null,
  environment text not null default 'sandbox' check (environment = 'sandbox'),
  -- The call that moves the clock or resets the sandbox; its lease counts by the database's clock.
  holder uuid,
  leased_until timestamptz,
  -- While the lease lasts, nobody but the holder writes for the sandbox.
  shut boolean not null default false,
  -- The outbox position at which the sandbox was reset last: events with smaller positions are of an earlier generation.
  generation bigint not null default 0,
  -- The command that reset it last.
  reset_by uuid,
  -- How far its clock is ahead of the real time, in ms.
  offset_ms bigint not null default 0 check (offset_ms >= 0),
  primary key (store, environment)
);
create index sandbox_moved on runtime.sandbox (store) where offset_ms > 0;

insert into runtime.sandbox (store, generation, reset_by, offset_ms)
select e.store, coalesce(r.since, 0), c.reset_by, coalesce(c.offset_ms, 0)
from store.environment as e
left join runtime.renewal as r using (store, environment)
left join sandbox.clock as c using (store, environment)
where e.environment = 'sandbox';

drop table runtime.renewal;
drop schema sandbox cascade;
