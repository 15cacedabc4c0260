-- The platform that began or completed a checkout, by the address of its profile: it reads the order that comes of it.
create table webhook.checkout_platform (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  checkout_intent uuid not null,
  profile text not null,
  created_at timestamptz not null,
  primary key (store, environment, checkout_intent, profile)
);
