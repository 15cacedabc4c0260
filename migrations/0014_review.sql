-- Reviews of products, and their ratings.
create schema review;

create table review.review (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  product_id uuid not null,
  variant_id uuid,
  order_id uuid,
  customer_id uuid not null,
  -- The name that is shown, as of when the review was written.
  customer_name text not null,
  rating smallint not null check (rating between 1 and 5),
  title text not null,
  body text not null,
  media_urls json not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  rejection_reason text,
  helpful_count integer not null default 0 check (helpful_count >= 0),
  verified_purchase boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id),
  check ((rejection_reason is not null) = (status = 'rejected'))
) with (fillfactor = 80);

-- A customer has one review of a product. The index also serves the list of a customer's own reviews.
create unique index review_of_customer on review.review (store, environment, customer_id, product_id) where deleted_at is null;
-- One index for each sort order of a product's and a store's reviews. A list of every status merges one scan for each.
create index review_of_product on review.review (store, environment, product_id, status, created_at, id)
  where deleted_at is null;
create index review_of_product_rated on review.review (store, environment, product_id, status, rating, created_at, id)
  where deleted_at is null;
create index review_of_product_helpful on review.review (store, environment, product_id, status, helpful_count, created_at, id)
  where deleted_at is null;
create index review_newest on review.review (store, environment, status, created_at, id) where deleted_at is null;
create index review_rated on review.review (store, environment, status, rating, created_at, id) where deleted_at is null;
create index review_helpful on review.review (store, environment, status, helpful_count, created_at, id)
  where deleted_at is null;

create table review.vote (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  review_id uuid not null,
  -- A digest, because a session's id opens its cart.
  voter bytea not null,
  primary key (store, environment, review_id, voter)
);

-- The sum of a product's approved reviews, updated with each of them.
create table review.rating (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  product_id uuid not null,
  -- How many reviews gave 1, 2, 3, 4 and 5.
  stars integer[] not null check (array_length(stars, 1) = 5 and 0 <= all (stars)),
  -- Counts changes; `published_version` is the one that the catalogue shows.
  version bigint not null,
  published_version bigint not null,
  primary key (store, environment, product_id)
) with (fillfactor = 80);

create index rating_unpublished on review.rating (store, environment) where published_version < version;

-- One row for each tenant, locked last in a transaction, so that revisions appear in order and a copy knows whether it is
-- fresh.
create table review.state (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  -- Approved reviews.
  approved bigint not null check (approved >= 0),
  -- The availability that the store's features show.
  published_availability boolean not null,
  -- When the tenant's ratings are published next, if some are not: a claim ends then, or the pause after a failure. Real time.
  publish_at timestamptz not null default '-infinity',
  primary key (store, environment)
) with (fillfactor = 50);

create index state_unpublished on review.state (store, environment) where published_availability <> (approved > 0);

-- Deleted customers who have reviews. Publishable keys do not see their names. The row covers a review that is written while
-- its customer is deleted, which a mark on the reviews would not.
create table review.deleted_customer (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  customer_id uuid not null,
  primary key (store, environment, customer_id)
);
