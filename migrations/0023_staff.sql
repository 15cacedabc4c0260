-- Staff of stores: accounts, invitations, sessions of the dashboard and second factors. Both environments of a store share
-- them. Tokens and recovery codes are stored as hashes only.
create schema staff;

create table staff.member (
  store uuid not null,
  id uuid not null,
  -- Unicode NFC, lower-case: one address is one account of the store.
  email text not null,
  name text,
  role text not null check (role in ('owner', 'manager', 'catalogue', 'orders', 'support', 'analyst')),
  -- Argon2id with its parameters and salt.
  password text not null,
  -- Sealed secret of the authenticator app; null without a second factor.
  totp_secret bytea,
  -- Sealed secret that is not confirmed yet.
  totp_pending bytea,
  -- Time step of the last code that was taken: no code counts twice.
  totp_step bigint not null default 0,
  created_at timestamptz not null,
  last_signed_in_at timestamptz,
  primary key (store, id)
);

create unique index member_email on staff.member (store, email);
-- A sign-in names no store.
create index member_by_email on staff.member (email);

create table staff.recovery_code (
  store uuid not null,
  member uuid not null,
  hash bytea not null check (octet_length(hash) = 32),
  primary key (store, member, hash),
  foreign key (store, member) references staff.member on delete cascade
);

create table staff.invitation (
  store uuid not null,
  id uuid not null,
  email text not null,
  name text,
  role text not null check (role in ('owner', 'manager', 'catalogue', 'orders', 'support', 'analyst')),
  hash bytea not null unique check (octet_length(hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (store, id)
);

create unique index invitation_email on staff.invitation (store, email);
create index invitation_expiry on staff.invitation (expires_at);

-- Mailed links that sign in once.
create table staff.link (
  hash bytea primary key check (octet_length(hash) = 32),
  -- Both null where the address has no account: such a row looks like any other and matches nothing.
  store uuid,
  member uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (store, member) references staff.member on delete cascade
);

create index link_member on staff.link (store, member, created_at);
create index link_age on staff.link (created_at);

create table staff.session (
  store uuid not null,
  id uuid not null,
  member uuid not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  -- A session that began with a mailed link may set a password without the former one.
  began_with text not null check (began_with in ('password', 'link')),
  network text not null,
  user_agent text,
  created_at timestamptz not null,
  -- Within a minute.
  last_used_at timestamptz not null,
  primary key (store, id),
  foreign key (store, member) references staff.member on delete cascade
);

create index session_member on staff.session (store, member, last_used_at desc);
create index session_last_use on staff.session (last_used_at);
-- Each session ends 30 days after its beginning.
create index session_age on staff.session (created_at);

-- Failed sign-ins of an address and failed codes of an account, by real time. An address belongs to no store.
create table staff.login_failure (
  store uuid not null,
  environment text not null check (environment = 'production'),
  account bytea not null check (octet_length(account) = 32),
  -- The failures of the last 15 minutes, oldest first.
  failed_at timestamptz[] not null,
  -- The last sign-in that was checked while only one a minute is.
  admitted_at timestamptz,
  changed_at timestamptz not null,
  primary key (store, environment, account)
);

create index login_failure_age on staff.login_failure (changed_at);
