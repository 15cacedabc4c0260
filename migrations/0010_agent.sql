-- The Agent API: quotes, cart drafts and checkout intents. An intent's stock is held by its variants' actors.
create schema agent;

create table agent.quote (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The promised prices, lines and delivery.
  offer json not null,
  -- The address that the quote ships to. An order or intent of the quote need not repeat it.
  shipping_address json,
  -- A quote is used once, by an order or by a checkout intent.
  order_id uuid,
  intent_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index quote_age on agent.quote (expires_at);

create table agent.draft (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  items json not null,
  email text,
  shipping_address json,
  promotion_codes json not null,
  -- The draft's prices when it was last written, shown while one of its products is not sold.
  offer json,
  -- The assistant that started the draft, with its protocol.
  agent json,
  buyer json,
  -- The checkout that the draft became last. A repeated conversion returns it while it is open.
  intent uuid,
  converted boolean not null default false,
  cancelled boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- Null stands for the shipping address.
  billing_address json,
  primary key (store, environment, id)
);

create index draft_age on agent.draft (expires_at);

create table agent.intent (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- An order buys the version that it read, so that a change meanwhile refuses it.
  version integer not null default 0,
  hold uuid not null,
  offer json not null,
  email text,
  shipping_address json,
  -- The assistant that started the checkout, with its protocol.
  agent json,
  buyer json,
  note text,
  -- An open intent past its `expires_at` has expired; no write says so.
  status text not null check (status in ('open', 'completed', 'cancelled')),
  order_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  -- Null stands for the shipping address.
  billing_address json,
  -- BCP 47 tag of the buyer's language; null for the store's default one.
  language text,
  primary key (store, environment, id)
);

create index intent_age on agent.intent (expires_at);
create index intent_of_hold on agent.intent (store, environment, hold);

-- Holds that a changed intent no longer needs, written with the change and deleted once they are released. Without the row a
-- hold whose release failed would last until the intent's end.
create table agent.pending_release (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  intent uuid not null,
  -- The intent's offer before the change.
  offer json not null,
  -- Real time.
  created_at timestamptz not null,
  -- The next attempt, in real time; the call that wrote the row makes the first one itself.
  due_at timestamptz not null default now() + interval '3 seconds',
  attempts integer not null default 0,
  primary key (store, environment, id)
);

create index pending_release_age on agent.pending_release (created_at);
create index pending_release_due on agent.pending_release (due_at);
