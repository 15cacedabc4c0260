-- Mails of all kinds: templates and kinds that a store changed, and addresses to which no mail is sent.
alter table mail.message drop constraint message_kind_check;
alter table mail.message drop constraint message_state_check;
-- `due` and `waiting` are to be sent; rows of earlier releases, which hold their text instead of the template's data, are
-- `waiting`. `suppressed`: the address is on the list of suppressed ones.
alter table mail.message add constraint message_state_check
  check (state in ('due', 'waiting', 'sent', 'given_up', 'void', 'suppressed')) not valid;

create table mail.template (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  -- BCP 47; empty for the store's default language.
  language text not null,
  -- Null where the built-in part is used.
  subject text,
  html text,
  text text,
  updated_at timestamptz not null,
  primary key (store, environment, kind, language)
);

create table mail.setting (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kind text not null,
  enabled boolean not null,
  primary key (store, environment, kind)
);

create table mail.suppression (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- In lower case.
  email text not null,
  reason text not null check (reason in ('hard_bounce', 'complaint', 'unsubscribed')),
  details text,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, email, reason)
);

create index suppression_by_time on mail.suppression (store, environment, created_at desc, id desc);

-- The secret address to which a mail provider reports bounces of the tenant.
create table mail.bounce_address (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  token_hash bytea not null,
  created_at timestamptz not null,
  primary key (store, environment)
);
