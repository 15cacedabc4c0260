-- Customers of a store, their passwords, and the sessions in which they are signed in.
create schema customer;

create table customer.customer (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The merchant's own name for the customer.
  external_id text,
  -- Unicode NFC, lower-case: one address is one account.
  email text not null,
  first_name text,
  last_name text,
  phone text,
  -- Whose price lists apply; null: nobody's in particular.
  customer_group text,
  addresses jsonb not null default '[]',
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create unique index customer_email on customer.customer (store, environment, email) where deleted_at is null;
create unique index customer_external_id on customer.customer (store, environment, external_id)
  where deleted_at is null;

-- Who signs in with a link, a code or somebody else's word has none.
create table customer.password (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  customer uuid not null,
  -- Argon2id with its parameters and salt.
  hash text not null,
  changed_at timestamptz not null,
  primary key (store, environment, customer),
  foreign key (store, environment, customer) references customer.customer on delete cascade
);

-- One row from login to logout: the family of all tokens that come of one login. Ended is deleted.
create table customer.session (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  customer uuid not null,
  created_at timestamptz not null,
  -- When its newest refresh token ends.
  expires_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, customer) references customer.customer on delete cascade
);

create index session_customer on customer.session (store, environment, customer);
create index session_expiry on customer.session (expires_at);

-- The text of a token is nowhere: only its SHA-256. A refresh token that was used stays until it would have ended, so
-- that a second use is known for what it is.
create table customer.session_token (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  hash bytea not null check (octet_length(hash) = 32),
  session uuid not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (store, environment, hash),
  foreign key (store, environment, session) references customer.session on delete cascade
);

create index session_token_session on customer.session_token (store, environment, session);
create index session_token_expiry on customer.session_token (expires_at);

-- Failed logins of an account, known or not, by real time.
create table customer.login_failure (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- SHA-256 of the e-mail address.
  account bytea not null check (octet_length(account) = 32),
  -- Those of the last 15 minutes, oldest first.
  failed_at timestamptz[] not null,
  -- The last login that was looked at while only one a minute is.
  admitted_at timestamptz,
  changed_at timestamptz not null,
  primary key (store, environment, account)
);

create index login_failure_age on customer.login_failure (changed_at);
