-- Webhooks: endpoints, their queues, and every delivery of an event.
create schema webhook;

create table webhook.endpoint (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  url text not null,
  description text,
  -- Event types; `*` is every type.
  events text[] not null,
  -- The protocol in whose words a platform of assistants gets a store's orders.
  format text not null default 'stoa' check (format in ('stoa', 'acp', 'ucp')),
  -- The address of the store's profile at which a platform found the store. That platform gets only its own orders. Null:
  -- the merchant made the endpoint.
  found_at text,
  enabled boolean not null,
  -- Sealed. After a rotation the previous secret signs too, until `previous_until` by the tenant's clock.
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id),
  check (found_at is null or format = 'ucp')
);

create index endpoint_by_sequence on webhook.endpoint (store, environment, sequence) where deleted_at is null;
-- A platform has one endpoint for each address at which it found the store.
create unique index endpoint_platform on webhook.endpoint (store, environment, url, found_at)
  where found_at is not null and deleted_at is null;

-- An endpoint's queue: when to look into it next. A worker locks the row, so that passing over a stuck queue costs one row,
-- however long the queue is.
create table webhook.queue (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  endpoint uuid not null,
  -- The tenant's time. Infinity: the queue is empty.
  ready_at timestamptz not null default 'infinity',
  -- The endpoint is disabled: deliveries wait.
  paused boolean not null default false,
  primary key (store, environment, endpoint)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index queue_ready on webhook.queue (ready_at) where not paused;

create table webhook.delivery (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  event text not null,
  endpoint uuid not null,
  -- The event's.
  sequence bigint not null,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'dead_lettered')),
  attempts integer not null default 0,
  -- Attempts since the schedule of retries was started or restarted.
  step integer not null default 0,
  -- The last attempt's status; null where no response came.
  response_status integer,
  -- The tenant's time; null once there is no further attempt.
  next_attempt_at timestamptz,
  -- When to look at the delivery, by the tenant's clock: the next attempt, or when a running one counts as lost with its
  -- process.
  due_at timestamptz,
  -- The process that attempts the delivery now.
  worker uuid,
  attempt_log jsonb not null default '[]',
  primary key (store, environment, event, endpoint)
) with (fillfactor = 70);

create index delivery_due on webhook.delivery (store, environment, endpoint, due_at, sequence) where due_at is not null;
create index delivery_by_endpoint on webhook.delivery (store, environment, endpoint, status);

-- The checkouts whose orders an endpoint's platform gets.
create table webhook.followed_checkout (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  checkout_intent uuid not null,
  endpoint uuid not null,
  created_at timestamptz not null,
  primary key (store, environment, checkout_intent, endpoint)
);

-- The keys with which a store signs messages to platforms.
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

-- The platform that started or completed a checkout, by the address of its profile: it may read the order.
create table webhook.checkout_platform (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  checkout_intent uuid not null,
  profile text not null,
  created_at timestamptz not null,
  primary key (store, environment, checkout_intent, profile)
);
