-- What was mailed to somebody to prove that the address is his: magic links, one-time codes, links to reset a password.
create table customer.challenge (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  kind text not null check (kind in ('magic_link', 'otp', 'reset_password')),
  -- Null where the address has no account: a row like any other, which nothing ever matches.
  customer uuid,
  -- SHA-256 of the e-mail address.
  account bytea not null check (octet_length(account) = 32),
  -- SHA-256 of a link's token.
  hash bytea check (octet_length(hash) = 32),
  -- A code, sealed: a digest of six digits would hide nothing.
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
