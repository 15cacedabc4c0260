-- Mail to shoppers: written in the transaction that causes it, sent by a host that has SMTP, read by developers in the
-- sandbox.
create schema mail;

create table mail.message (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  kind text not null check (
    kind in ('reset_password', 'magic_link', 'otp', 'return_received', 'return_decided', 'credit_offered', 'order_placed')
  ),
  recipient text not null,
  -- Subject, text, link and code, sealed because they open accounts. Production's is erased once it is sent or expired.
  content bytea,
  -- `void`: written for an address without an account, so that the work does not give that away; never shown, never sent.
  state text not null check (state in ('waiting', 'sent', 'given_up', 'void')),
  attempts integer not null default 0,
  -- The next attempt, by the real clock.
  due_at timestamptz not null,
  -- The real time after which the message is useless to its reader.
  ends_at timestamptz not null,
  -- The tenant's time.
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index message_by_sequence on mail.message (store, environment, sequence);
create index message_due on mail.message (environment, due_at) where state = 'waiting';
create index message_by_age on mail.message (due_at);
