-- Reviews: what shoppers say of products, and what the approved ones come to.
create schema review;

create table review.review (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  product_id uuid not null,
  variant_id uuid,
  order_id uuid,
  customer_id uuid not null,
  -- As others are shown it, from when it was written.
  customer_name text not null,
  rating smallint not null check (rating between 1 and 5),
  title text not null,
  body text not null,
  media_urls json not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text check ((rejection_reason is not null) = (status = 'rejected')),
  helpful_count integer not null default 0 check (helpful_count >= 0),
  verified_purchase boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
) with (fillfactor = 80);

-- One a customer and product; also a customer's own.
create unique index review_of_customer on review.review (store, environment, customer_id, product_id)
  where deleted_at is null;
-- Each order of a product's reviews and of a store's. A list of every status merges one walk for each.
create index review_of_product on review.review (store, environment, product_id, status, created_at, id)
  where deleted_at is null;
create index review_of_product_rated on review.review (store, environment, product_id, status, rating, created_at, id)
  where deleted_at is null;
create index review_of_product_helpful
  on review.review (store, environment, product_id, status, helpful_count, created_at, id) where deleted_at is null;
create index review_newest on review.review (store, environment, status, created_at, id) where deleted_at is null;
create index review_rated on review.review (store, environment, status, rating, created_at, id)
  where deleted_at is null;
create index review_helpful on review.review (store, environment, status, helpful_count, created_at, id)
  where deleted_at is null;

create table review.vote (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  review_id uuid not null,
  -- A digest: a browsing session's name opens its cart.
  voter bytea not null,
  primary key (store, environment, review_id, voter)
);

-- What a product's approved reviews come to, counted as each comes and goes.
create table review.rating (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  product_id uuid not null,
  -- How many gave 1, 2, 3, 4 and 5.
  stars integer[] not null check (array_length(stars, 1) = 5 and 0 <= all (stars)),
  -- Counts changes; the one that the catalogue shows.
  version bigint not null,
  told bigint not null,
  primary key (store, environment, product_id)
) with (fillfactor = 80);

create index rating_untold on review.rating (store, environment) where told < version;

-- One row a tenant, locked last of all: revisions appear in order, so that whoever keeps a copy knows whether it stands.
create table review.standing (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  -- Approved reviews.
  approved bigint not null check (approved >= 0),
  -- What the store's features were last told.
  told boolean not null,
  primary key (store, environment)
) with (fillfactor = 50);

create index standing_untold on review.standing (store, environment) where told <> (approved > 0);
