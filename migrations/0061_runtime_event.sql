-- The log of events is the runtime's: the outbox fills it, without an event ever leaving the database on its way there,
-- and what travels over the bus is that something happened. Who wants to know what looks into the log.
alter table webhook.event set schema runtime;

-- A row holds what one statement told of one tenant; its position is that of its last event.
alter table runtime.outbox
  -- A line each: `<type> <id>`.
  add column heads text,
  add column positions bigint[],
  -- A line each: the envelope without its end. Null once they are in the log, and may be published.
  add column drafts text;
update runtime.outbox set
  heads = type || ' ' || id, positions = array[position],
  drafts = left(payload, -length(',"sequence":' || position || '}'));
alter table runtime.outbox
  alter column heads set not null, alter column positions set not null,
  alter column heads set storage external, alter column drafts set storage external,
  drop column id, drop column type, drop column payload, drop column written_at;
create index outbox_unlogged on runtime.outbox (position) where drafts is not null;

-- What Postgres wants to know of the tables that grow fastest is looked at again and again while they grow, and nobody
-- asks for anything but keys there: a small sample says enough, and of the long texts nothing is wanted.
alter table runtime.event
  alter column store set statistics 10, alter column environment set statistics 10, alter column id set statistics 10,
  alter column type set statistics 10, alter column sequence set statistics 10,
  alter column created_at set statistics 10, alter column told set statistics 10,
  alter column logged_at set statistics 10, alter column payload set statistics 0;
alter table runtime.actor
  alter column store set statistics 10, alter column environment set statistics 10, alter column kind set statistics 10,
  alter column id set statistics 10, alter column partition set statistics 10, alter column due_at set statistics 10,
  alter column lapses_at set statistics 10, alter column changed_at set statistics 10,
  alter column state set statistics 0;
alter table runtime.outbox
  alter column heads set statistics 0, alter column positions set statistics 0, alter column drafts set statistics 0;
