-- Apps that may work with a store, merchants' decisions about them, and their credentials. Codes, tokens and secrets are
-- stored as hashes only.
create schema connect;

-- An app. A confidential client belongs to no store; a public one belongs to the store that registered it.
create table connect.client (
  id text primary key,
  -- Null: public.
  secret_hash bytea check (octet_length(secret_hash) = 32),
  name text not null,
  -- `[uri]`, compared letter by letter.
  redirect_uris json not null,
  store uuid,
  created_at timestamptz not null,
  check ((secret_hash is null) = (store is not null))
);

create table connect.session (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  ticket_hash bytea not null check (octet_length(ticket_hash) = 32) unique,
  -- Sealed. The store's secret key can read it again while the session is pending.
  ticket bytea not null,
  client text not null references connect.client (id),
  client_name text not null,
  redirect_uri text not null,
  scopes json not null,
  status text not null check (status in ('pending', 'authorized', 'denied')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index session_client on connect.session (client, created_at desc) where status = 'pending';
create index session_list on connect.session (store, environment, created_at desc, id desc);

create table connect.grant (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  client text not null references connect.client (id),
  client_name text not null,
  scopes json not null,
  last_used_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index grant_list on connect.grant (store, environment, created_at desc, id desc) where ended_at is null;

-- Authorization codes, access tokens and refresh tokens, found by their hash before the tenant is known.
create table connect.credential (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  hash bytea primary key check (octet_length(hash) = 32),
  kind text not null check (kind in ('code', 'access', 'refresh')),
  grant_id uuid not null,
  scopes json not null,
  -- A code's redirect address, and the SHA-256 of its verifier in base64url.
  redirect_uri text,
  challenge text,
  -- A code or a refresh token is used once; an access token expires or is revoked.
  ended_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (store, environment, grant_id) references connect.grant on delete cascade
);

create index credential_grant on connect.credential (store, environment, grant_id);
create index credential_expires_at on connect.credential (expires_at);
