-- The Agent API: quotes, cart drafts and checkout intents. Stock of an intent is a hold of its variants' actors.
create schema agent;

create table agent.quote (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- What was promised: prices, lines, delivery.
  offer json not null,
  order_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create table agent.draft (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  items json not null,
  email text,
  shipping_address json,
  promotion_codes json not null,
  converted boolean not null default false,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create table agent.intent (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  hold uuid not null,
  offer json not null,
  email text,
  shipping_address json,
  -- Open ones are over once their time is: nobody has to write it down.
  status text not null check (status in ('open', 'completed', 'cancelled')),
  order_id uuid,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (store, environment, id)
);
