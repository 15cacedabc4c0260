-- Customers of a store, their passwords, and the sessions in which they are signed in.
create schema customer;

create table customer.customer (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The merchant's own id for the customer.
  external_id text,
  -- Unicode NFC, lower-case: one address is one account.
  email text not null,
  first_name text,
  last_name text,
  phone text,
  -- The group whose price lists apply; null: none.
  customer_group text,
  addresses jsonb not null default '[]',
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- BCP 47 tag of the language in which mails are written; null for the store's default one.
  language text,
  primary key (store, environment, id)
);

create unique index customer_email on customer.customer (store, environment, email) where deleted_at is null;
create unique index customer_external_id on customer.customer (store, environment, external_id) where deleted_at is null;
-- Customers in the order of the list, of a whole store or of one group, whose letter case does not count.
create index customer_list on customer.customer (store, environment, created_at desc, id desc) where deleted_at is null;
create index customer_of_group on customer.customer (store, environment, lower(customer_group), created_at desc, id desc)
  where deleted_at is null;

-- Search by how the e-mail address, the whole name and the last name begin.
create index customer_of_email_prefix on customer.customer
  (store, environment, email text_pattern_ops) where deleted_at is null;

create index customer_of_name_prefix on customer.customer
  (store, environment, lower(coalesce(first_name || ' ', '') || coalesce(last_name, '')) text_pattern_ops)
  where deleted_at is null;

create index customer_of_last_name_prefix on customer.customer
  (store, environment, lower(last_name) text_pattern_ops) where deleted_at is null and last_name is not null;

-- The e-mail address that a customer has proved to own, by a mailed link or code or by the store's identity provider. An
-- address that was only typed in at registration is not here.
create table customer.email_proof (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  customer uuid not null,
  -- The address that was proved. The row proves nothing once the customer has another one.
  email text not null,
  proved_at timestamptz not null,
  primary key (store, environment, customer),
  foreign key (store, environment, customer) references customer.customer on delete cascade
);

-- A customer who signs in by link, code or identity provider has no row.
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

-- One row from login to logout: the family of all tokens of one login. Logout deletes the row.
create table customer.session (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  customer uuid not null,
  -- When its newest refresh token ends.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- The browser, as the store's server named it; null where it did not.
  user_agent text,
  primary key (store, environment, id),
  foreign key (store, environment, customer) references customer.customer on delete cascade
);

create index session_customer on customer.session (store, environment, customer);
create index session_expiry on customer.session (expires_at);

-- Only a token's SHA-256 is stored. A used refresh token stays until it would have ended, so that a second use is detected.
create table customer.session_token (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  hash bytea not null check (octet_length(hash) = 32),
  session uuid not null,
  kind text not null check (kind in ('access', 'refresh')),
  used_at timestamptz,
  expires_at timestamptz not null,
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
  -- The failures of the last 15 minutes, oldest first.
  failed_at timestamptz[] not null,
  -- The last login that was checked while only one a minute is.
  admitted_at timestamptz,
  changed_at timestamptz not null,
  primary key (store, environment, account)
);

create index login_failure_age on customer.login_failure (changed_at);

-- Magic links, one-time codes and password resets that were mailed to prove that an address belongs to its customer.
create table customer.challenge (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in ('magic_link', 'otp', 'reset_password')),
  -- Null where the address has no account: such a row looks like any other and matches nothing.
  customer uuid,
  -- SHA-256 of the e-mail address.
  account bytea not null check (octet_length(account) = 32),
  -- SHA-256 of a link's token.
  hash bytea check (octet_length(hash) = 32),
  -- A one-time code, sealed: a digest of six digits would hide nothing.
  code bytea,
  tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, customer) references customer.customer on delete cascade,
  check ((kind = 'otp') = (code is not null) and num_nonnulls(hash, code) = 1)
);

create unique index challenge_hash on customer.challenge (store, environment, hash);
create index challenge_account on customer.challenge (store, environment, account, kind);
create index challenge_customer on customer.challenge (store, environment, customer);
create index challenge_expiry on customer.challenge (expires_at);
