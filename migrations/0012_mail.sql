-- Mail to shoppers: written in the transaction that causes it, sent by a host that has SMTP, read by developers in the
-- sandbox.
create schema mail;

create table mail.message (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  kind text not null,
  recipient text not null,
  -- The template's data, link and code, sealed because they open accounts. Production's is erased once it is sent or expired.
  content bytea,
  -- `void`: written for an address without an account, so that the work does not give that away; never shown, never sent.
  -- `suppressed`: the address is on the list of suppressed ones.
  state text not null check (state in ('due', 'sent', 'given_up', 'void', 'suppressed')),
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
create index message_due on mail.message (environment, due_at) where state = 'due';
create index message_by_age on mail.message (due_at);

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
  -- Null where the store changed the templates alone.
  enabled boolean,
  -- The last change of the kind, which a later change may name as its version.
  changed_at timestamptz,
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

-- Shoppers who want a mail when a product can be bought again. A row is deleted in the transaction that writes its mail.
create table mail.stock_alert (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  product_id uuid not null,
  -- Null for any variant of the product.
  variant_id uuid,
  -- In lower case.
  email text not null,
  created_at timestamptz not null,
  -- BCP 47 tag of the language in which the mail is written; null for the store's default one.
  language text,
  primary key (store, environment, id),
  unique nulls not distinct (store, environment, product_id, variant_id, email)
);

create index stock_alert_by_age on mail.stock_alert (created_at);
