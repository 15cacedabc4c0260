-- Payments, the providers they go through, and refunds on their way back. What was paid is the ledger's.
create schema payment;

-- A provider that a store connected. One that was disconnected stays for what was begun with it.
create table payment.provider (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  provider text not null,
  name text not null,
  custom boolean not null,
  -- Sealed JSON: the account's credentials, or the secret that calls are signed with.
  credentials bytea not null,
  initialize_url text,
  verify_url text,
  created_at timestamptz not null,
  disconnected_at timestamptz,
  primary key (store, environment, id),
  check (custom = (initialize_url is not null and verify_url is not null))
);

create unique index provider_connected on payment.provider (store, environment, provider)
  where disconnected_at is null;

create table payment.payment (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- What callers and providers know it by; nobody guesses it.
  reference text not null,
  provider text not null,
  -- The account that it goes through; null: the simulator.
  account uuid,
  type text not null check (type in ('redirect', 'push')),
  -- `opening` while its provider is asked to begin it, `refused` where that said no: neither was ever told of.
  status text not null
    check (status in ('opening', 'refused', 'pending', 'succeeded', 'failed', 'expired', 'refunded')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  refunded bigint not null default 0 check (refunded between 0 and amount),
  order_id uuid,
  order_number text,
  phone text,
  metadata json not null,
  success_url text,
  cancel_url text,
  -- The provider's names of what is to be paid, and of what was paid.
  session_id text,
  charge_id text,
  checkout_url text,
  expires_at timestamptz,
  paid_at timestamptz,
  -- Why it failed, in the provider's word.
  failure text,
  -- Nobody else opens it until then; real time.
  claimed_until timestamptz,
  -- Whether its order knows how it stands.
  order_told boolean not null default true,
  changed_at timestamptz not null default now(),
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, reference)
);

create index payment_session on payment.payment (store, environment, provider, session_id) where session_id is not null;
create index payment_charge on payment.payment (store, environment, provider, charge_id) where charge_id is not null;
create unique index payment_simulated on payment.payment (reference) where account is null;
create index payment_lapse on payment.payment (expires_at) where status = 'pending' and account is null;
create index payment_untold on payment.payment (changed_at) where not order_told;
create index payment_unopened on payment.payment (changed_at) where status in ('opening', 'refused');

-- Money on its way back through a provider.
create table payment.refund (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  payment_id uuid not null,
  -- The order's refund that it is a part of; null where the provider gave it back by itself.
  refund_id uuid,
  amount bigint not null check (amount > 0),
  reason text,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- The provider's name of it; null until the provider has answered.
  provider_refund text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, payment_id) references payment.payment on delete cascade
);

create unique index refund_of_order on payment.refund (store, environment, refund_id, payment_id)
  where refund_id is not null;
create unique index refund_at_provider on payment.refund (store, environment, payment_id, provider_refund)
  where provider_refund is not null;
create index refund_due on payment.refund (next_attempt_at) where next_attempt_at is not null;
