-- When a release is tried next, in real time: the call that wrote it tries it first. A host of the release before leaves the
-- time to the default.
alter table agent.pending_release
  add column due_at timestamptz not null default now() + interval '3 seconds',
  add column attempts integer not null default 0;
