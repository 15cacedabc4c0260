-- Payments, the providers that they go through, and refunds on their way back. The ledger has the amounts paid.
create schema payment;

-- A provider that a store connected. A disconnected one stays for the payments that were started with it.
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
  disconnected_at timestamptz,
  created_at timestamptz not null,
  primary key (store, environment, id),
  check (custom = ((initialize_url is not null) and (verify_url is not null)))
);

create unique index provider_connected on payment.provider (store, environment, provider) where disconnected_at is null;

-- Payments. A payment of a checkout over several merchants belongs to the operator; once it has succeeded, each merchant has
-- its share as a payment in its own books, and refunds go back through the operator's.
create table payment.payment (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The unguessable id that callers and providers know the payment by.
  reference text not null,
  provider text not null,
  -- The provider's account; null: the simulator.
  account uuid,
  type text not null check (type in ('redirect', 'push', 'element')),
  -- The status is `opening` while the provider is asked to start the payment, `refused` if the provider declined to.
  -- The API shows neither.
  status text not null check (
    status in ('opening', 'refused', 'pending', 'authorized', 'succeeded', 'failed', 'expired', 'voided', 'refunded')
  ),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  refunded bigint not null default 0,
  order_id uuid,
  order_number text,
  checkout_group_id uuid,
  -- The shares of an operator's payment: `[{ store, order_id, order_number, amount, generation }]`, which add up to its amount.
  shares json,
  -- The operator's payment that brought in a merchant's share.
  whole_operator uuid,
  whole_payment uuid,
  -- Paid by a token, not by a buyer on the provider's page.
  delegated boolean not null default false,
  phone text,
  metadata json not null,
  success_url text,
  cancel_url text,
  -- The provider's ids of the session and of the charge.
  session_id text,
  charge_id text,
  checkout_url text,
  paid_at timestamptz,
  -- Why the payment failed, in the provider's word.
  failure text,
  -- No other process opens the payment until then, by real time.
  claimed_until timestamptz,
  -- Whether the order knows the payment's status.
  order_notified boolean not null default true,
  -- A person has to look at the payment: its reported amount or currency is missing, unreadable or wrong, or money without
  -- an order still has to go back.
  needs_review boolean not null default false,
  -- The order was paid or cancelled before, so this payment goes back outside of the order's figures.
  surplus boolean not null default false,
  -- When the provider is asked for the status next, in real time, less and less often. Null: never.
  next_poll_at timestamptz,
  polls integer not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null default now(),
  -- `manual`: authorised first and captured later.
  capture text not null default 'automatic',
  -- The amount authorised. After a capture `amount` is the captured part of it.
  authorized bigint,
  authorized_at timestamptz,
  -- The capture or void that was decided, until the provider has confirmed it; `next_poll_at` is its next try.
  ending text,
  ending_amount bigint,
  -- The command that decided it.
  ending_by uuid,
  -- The amounts of a payment in another currency than the store's, in the currency of the store's books.
  books jsonb,
  primary key (store, environment, id),
  unique (store, environment, reference),
  check (refunded between 0 and amount),
  check (shares is null or checkout_group_id is not null and order_id is null),
  check ((whole_operator is null) = (whole_payment is null)),
  constraint payment_capture_check
    check (capture in ('automatic', 'manual') and ending in ('capture', 'void') and amount <= authorized)
);

create index payment_session on payment.payment (store, environment, provider, session_id) where session_id is not null;
create index payment_charge on payment.payment (store, environment, provider, charge_id) where charge_id is not null;
create unique index payment_simulated on payment.payment (reference) where account is null;
-- Simulated payments that lapse.
create index payment_expiry_simulated on payment.payment (expires_at)
  where status in ('pending', 'authorized') and account is null;
create index payment_unnotified on payment.payment (changed_at) where not order_notified;
create index payment_unopened on payment.payment (changed_at) where status in ('opening', 'refused');
create index payment_poll on payment.payment (next_poll_at) where next_poll_at is not null;
create index payment_review on payment.payment (store, environment) where needs_review;
create index payment_pending on payment.payment (changed_at) where status = 'pending';
create index payment_of_order on payment.payment (store, environment, order_id) where order_id is not null;
create index payment_listed on payment.payment (store, environment, created_at, id);
create index payment_group on payment.payment (store, environment, checkout_group_id) where checkout_group_id is not null;
create index payment_share on payment.payment (whole_payment) where whole_payment is not null;

-- Money on its way back through a provider.
create table payment.refund (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  payment_id uuid not null,
  -- The order's refund that this row is a part of; null where the provider started the refund.
  refund_id uuid,
  amount bigint not null check (amount > 0),
  reason text,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- The provider's id of the refund; null until the provider has answered.
  provider_refund text,
  attempts integer not null default 0,
  -- Attempts that may have reached the provider. One that may have is looked up before it is repeated; one that surely did
  -- not is repeated as it was.
  reached integer not null default 0,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (store, environment, id),
  foreign key (store, environment, payment_id) references payment.payment on delete cascade
);

create unique index refund_of_order on payment.refund (store, environment, refund_id, payment_id) where refund_id is not null;
create unique index refund_at_provider on payment.refund (store, environment, payment_id, provider_refund)
  where provider_refund is not null;
create index refund_due on payment.refund (next_attempt_at) where next_attempt_at is not null;
create index refund_of_payment on payment.refund (store, environment, payment_id);

-- Payment tokens of the sandbox's simulator; a provider stores its own. A buyer gives an assistant a token, and the order's
-- own transaction takes its payment.
create table payment.token (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- SHA-256 of the token's text.
  hash bytea not null,
  -- The checkout intent that the token is for, and the most that it may pay.
  intent uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_max bigint not null check (amount_max > 0),
  -- Whether the card is declined.
  declines boolean not null,
  -- The payment that the token is claimed for, until `claimed_until` in real time or until an order takes it.
  payment uuid,
  -- The checkout completion that has the claim, the same for each of its retries. A retry whose checkout total has changed
  -- takes the claim over from itself.
  completion uuid,
  claimed_until timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique (store, environment, hash)
);

create index token_age on payment.token (expires_at);
