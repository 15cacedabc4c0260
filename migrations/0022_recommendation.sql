-- Recommendations: what shoppers looked at, put into carts and bought, a row for each product that a session met.
create schema recommendation;

create table recommendation.sighting (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- A digest: a browsing session's name opens its cart.
  session bytea not null,
  product uuid not null,
  -- Bits: 1 viewed, 2 put into a cart, 4 put on a wishlist, 8 bought.
  deeds smallint not null,
  customer uuid,
  -- Whether the store has such a customer.
  verified boolean not null,
  channel text not null check (channel in ('storefront', 'marketplace')),
  -- By the tenant's clock, the last time.
  seen_at timestamptz not null,
  primary key (store, environment, session, product)
);
create index sighting_product on recommendation.sighting (store, environment, product, seen_at desc) include (session, deeds);
create index sighting_time on recommendation.sighting (store, environment, seen_at desc);
create index sighting_customer on recommendation.sighting (store, environment, customer, seen_at desc)
  where customer is not null;

-- Whether what is likely next is known, and by which pair of products.
create table recommendation.standing (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  available boolean not null,
  one uuid,
  other uuid,
  -- Whether the store's features say the same.
  told boolean not null,
  primary key (store, environment)
);
create index standing_untold on recommendation.standing (store) where not told;
