-- The audit log: who changed which record. A call's record is written in the transaction that has the call's effect.
create table runtime.audit (
  -- An operator's own records are under the operator's id.
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The tenant's time.
  created_at timestamptz not null,
  -- Real time; retention deletes old records by it.
  recorded_at timestamptz not null,
  actor_kind text not null check (actor_kind in ('key', 'staff', 'app', 'operator_key', 'command_line', 'program')),
  -- Id of the key, person or grant; null for callers of the internal gRPC.
  actor text,
  actor_name text,
  -- Verb and path; null for a call over gRPC.
  endpoint text,
  operation text not null,
  resource text not null,
  resource_id text,
  -- JSON of `before`, `after` and `shortened`, without secrets.
  change text not null,
  address text,
  request_id text,
  primary key (store, environment, created_at, id)
);
alter table runtime.audit
  alter column id set statistics 0, alter column change set statistics 0, alter column address set statistics 0,
  alter column request_id set statistics 0;

-- Each filter of the list is one of these in order, newest first.
create index audit_by_actor on runtime.audit (store, environment, actor, created_at, id);
create index audit_by_resource on runtime.audit (store, environment, resource, created_at, id);
create index audit_by_record on runtime.audit (store, environment, resource_id, created_at, id)
  where resource_id is not null;
create index audit_by_age on runtime.audit (recorded_at);

do $$ begin
  alter table runtime.audit alter column change set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;
