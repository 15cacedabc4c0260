-- Recommendations: the products that each session viewed, put into a cart or bought.
create schema recommendation;

create table recommendation.interaction (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- A digest, because a session's id opens its cart.
  session bytea not null,
  product uuid not null,
  -- Bits: 1 viewed, 2 put into a cart, 4 put on a wishlist, 8 bought.
  actions smallint not null,
  customer uuid,
  -- Whether the store has such a customer.
  verified boolean not null,
  channel text not null check (channel in ('storefront', 'marketplace')),
  -- The last time, by the tenant's clock.
  seen_at timestamptz not null,
  primary key (store, environment, session, product)
);

create index interaction_product on recommendation.interaction (store, environment, product, seen_at desc) include (session, actions);
create index interaction_time on recommendation.interaction (store, environment, seen_at desc);
create index interaction_customer on recommendation.interaction (store, environment, customer, seen_at desc)
  where customer is not null;

-- Whether a tenant has enough data for recommendations, and the pair of products that shows it.
create table recommendation.availability (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  available boolean not null,
  one uuid,
  other uuid,
  -- Whether the store's features say the same.
  published boolean not null,
  primary key (store, environment)
);

create index availability_unpublished on recommendation.availability (store) where not published;
