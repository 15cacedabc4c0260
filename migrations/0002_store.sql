-- Stores, their environments, keys, operators, policies, features and usage.
create schema store;

-- A store's settings that both environments share.
create table store.store (
  id uuid primary key,
  code text not null check (code ~ '^[a-z0-9][a-z0-9-]*$') unique,
  name text not null,
  description text,
  logo_url text,
  branding jsonb,
  website_url text,
  contact_email text,
  contact_phone text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  country text check (country ~ '^[A-Z]{2}$'),
  timezone text not null default 'UTC',
  wholesale_enabled boolean not null default false,
  return_window_days integer not null default 30 check (return_window_days >= 0),
  low_stock_threshold integer not null default 5 check (low_stock_threshold >= 0),
  tax_inclusive boolean not null default false,
  -- Null until the merchant decides: then on, except for a wholesale store.
  llms_enabled boolean,
  -- The agent protocols that the store speaks.
  agents_mcp boolean not null default true,
  agents_acp boolean not null default true,
  agents_ucp boolean not null default true,
  products_enabled boolean not null default false,
  cart_abandoned_after_minutes integer not null default 60 check (cart_abandoned_after_minutes > 0),
  intent_ttl_minutes integer not null default 30 check (intent_ttl_minutes > 0),
  -- Which reviews are approved when they are written.
  review_approval text not null default 'manual' check (review_approval in ('manual', 'verified', 'all')),
  plan text not null default 'starter' check (plan in ('starter', 'growth', 'premium', 'enterprise')),
  trial boolean not null default false,
  lapsed boolean not null default false,
  -- Overrides of the plan's limits. Null: the plan's own limit. 0: unmetered.
  limit_key_hour bigint check (limit_key_hour >= 0),
  limit_key_day bigint check (limit_key_day >= 0),
  limit_network_hour bigint check (limit_network_hour >= 0),
  limit_month bigint check (limit_month >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The database's time of the last change of anything of the store, so that a process that missed a notice can look it
  -- up.
  changed_at timestamptz not null default clock_timestamp(),
  -- Language of the store's texts, and the languages that they are translated into.
  language text not null default 'en',
  languages text[] not null default '{}',
  -- Currencies in which the store shows its prices and sells beside its own.
  currencies jsonb not null default '[]',
  -- Days after which kinds of records are deleted: {"events_days": 7}; a kind that is not there has the default.
  retention jsonb not null default '{}'
);

create index store_changed_at on store.store (changed_at);

-- The hosts at whose root a store's agents find it.
create table store.domain (
  domain text primary key,
  store uuid not null references store.store (id) on delete cascade,
  -- In the order in which the merchant lists them.
  position integer not null
);

create index domain_store on store.domain (store, position);

-- Settings that each environment of a store has for itself. Secrets are sealed.
create table store.environment (
  store uuid not null references store.store (id),
  environment text not null check (environment in ('production', 'sandbox')),
  hmac_secret bytea not null,
  external_auth_secret bytea,
  allowed_redirect_origins jsonb not null default '[]',
  idp jsonb,
  -- The HMAC secret that a rotation replaced, and until when requests signed with it are still taken.
  previous_hmac_secret bytea,
  previous_hmac_until timestamptz,
  primary key (store, environment)
);

create table store.operator (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null default clock_timestamp()
);

create index operator_changed_at on store.operator (changed_at);

create table store.operator_store (
  operator uuid not null references store.operator (id),
  store uuid not null references store.store (id),
  -- When the operator suspended the merchant; null while it sells for it.
  suspended_at timestamptz,
  primary key (operator, store)
);

-- A key belongs to a store or to an operator. Only its SHA-256 is stored.
create table store.api_key (
  store uuid references store.store (id),
  environment text not null check (environment in ('production', 'sandbox')),
  operator uuid references store.operator (id),
  id uuid primary key,
  type text not null check (type in ('publishable', 'secret', 'operator')),
  hash bytea not null check (octet_length(hash) = 32) unique,
  -- Ahead for a key that was rolled with an overlap: it works until then.
  revoked_at timestamptz,
  created_at timestamptz not null,
  name text not null default 'API key',
  -- The last characters of the key's text. Null: created before these were stored.
  last_four text,
  -- Scopes of a restricted key. Null: a full key.
  scopes json,
  -- The key's own sealed signing secret. Null: it signs with that of the environment.
  hmac_secret bytea,
  check ((type = 'operator') = (operator is not null) and num_nonnulls(store, operator) = 1)
);

create index api_key_store on store.api_key (store, environment, type) where revoked_at is null;
-- A store's keys, newest first, those that ended included.
create index api_key_list on store.api_key (store, created_at desc, id desc);

-- The last use of each key. A separate table, because uses are written while the key itself does not change.
create table store.key_use (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  key uuid not null references store.api_key (id),
  used_at timestamptz not null,
  address text,
  primary key (store, environment, key)
);

-- Every published version stays.
create table store.policy_version (
  store uuid not null references store.store (id),
  type text not null check (type in ('terms', 'privacy', 'returns', 'shipping', 'refund')),
  version integer not null check (version >= 1),
  title text not null,
  body text not null,
  published_at timestamptz not null,
  -- Texts in other languages by language: {"de": {"title": …}}; null without any.
  translations jsonb,
  primary key (store, type, version)
);

create table store.policy_draft (
  store uuid not null references store.store (id),
  type text not null check (type in ('terms', 'privacy', 'returns', 'shipping', 'refund')),
  title text not null,
  body text not null,
  updated_at timestamptz not null,
  -- Texts in other languages by language: {"de": {"title": …}}; null without any.
  translations jsonb,
  primary key (store, type)
);

-- The status of each feature that was last published, and whether the store has data for it (a plan may hide it).
create table store.feature (
  store uuid not null references store.store (id),
  environment text not null check (environment in ('production', 'sandbox')),
  feature text not null,
  has_data boolean not null,
  status text not null check (status in ('available', 'awaiting_data', 'not_in_plan')),
  previous_status text check (previous_status in ('available', 'awaiting_data', 'not_in_plan')),
  changed_at timestamptz not null,
  primary key (store, environment, feature)
);

-- Rates at which prices are converted into the other currencies of a store.
create table store.exchange_rate (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The store's currency when the rate was set.
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  -- Major units of `currency` for one of `base_currency`.
  rate numeric not null check (rate > 0),
  -- Ending of prices in major units; null rounds to the smallest unit.
  round_to text,
  max_age_hours integer not null check (max_age_hours > 0),
  updated_at timestamptz not null,
  primary key (store, environment, currency)
);
