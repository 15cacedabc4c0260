-- Platforms of assistants that speak the Universal Commerce Protocol: where they hear of the orders that they began, and the
-- keys with which a store signs what it tells them.
alter table webhook.endpoint drop constraint endpoint_format_check;
alter table webhook.endpoint add constraint endpoint_format_check check (format in ('stoa', 'acp', 'ucp')) not valid;

-- The store's profile at the address by which a platform found it: the platform hears of its own orders alone. Null where the
-- merchant made the endpoint.
alter table webhook.endpoint add column found_at text check (found_at is null or format = 'ucp');

-- Whose orders a platform hears of.
create table webhook.followed_checkout (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  checkout_intent uuid not null,
  endpoint uuid not null,
  created_at timestamptz not null,
  primary key (store, environment, checkout_intent, endpoint)
);

create table webhook.signing_key (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  kid text not null,
  -- The point of the public key on P-256, in base64url.
  x text not null,
  y text not null,
  -- The private key as a JWK, sealed.
  secret bytea not null,
  created_at timestamptz not null,
  primary key (store, environment, kid)
);
