-- Mail to shoppers: written with what causes it, sent by whoever has SMTP, read by developers in the sandbox.
create schema mail;

create table mail.message (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  kind text not null check (kind in ('reset_password', 'magic_link', 'otp', 'return_received')),
  recipient text not null,
  -- Subject, text, link and code, sealed: they open accounts. Production's are erased once they are sent or of no use.
  content bytea,
  -- `void`: written for an address that has no account, so that nobody can tell by the work; never shown, never sent.
  state text not null check (state in ('waiting', 'sent', 'given_up', 'void')),
  attempts integer not null default 0,
  -- The next attempt, by the real clock.
  due_at timestamptz not null,
  -- From then on it is of no use to its reader, by the real clock.
  ends_at timestamptz not null,
  -- By the tenant's clock.
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index message_by_sequence on mail.message (store, environment, sequence);
create index message_due on mail.message (environment, due_at) where state = 'waiting';
create index message_by_age on mail.message (due_at);
