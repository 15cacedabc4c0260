-- The catalogue: products and variants, stock levels, categories, collections, price lists, and their import from feeds.
create schema catalog;

-- One row for each tenant. A write locks the row, takes the next revision and stamps each changed row with it; a copy of the
-- catalogue asks for newer rows. The lock lasts until the commit, so revisions appear in order.
create table catalog.revision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  -- The last moment at which prices changed by time alone and a revision was taken for it.
  repriced_at timestamptz,
  changed_at timestamptz not null,
  primary key (store, environment)
) with (fillfactor = 50);

create table catalog.category (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  parent_id uuid,
  name text not null,
  slug text not null,
  description text,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Place among its siblings, counted from 1. Categories without one stand behind the others, by name.
  position integer check (position > 0),
  -- Texts in other languages by language: {"de": {"name": …}}; null without any.
  translations jsonb,
  primary key (store, environment, id)
);

create unique index category_slug on catalog.category (store, environment, slug) where deleted_at is null;
create index category_revision on catalog.category (store, environment, revision);

-- JSON columns are json, not jsonb: no query looks inside, and they are returned as they were sent.
create table catalog.product (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  -- The merchant's own key, from ingestion.
  external_id text,
  slug text not null,
  name text not null,
  description text not null,
  category_id uuid,
  subcategory_id uuid,
  brand text,
  -- Null: the first image of `media`.
  thumbnail_url text,
  media json not null,
  seo_title text,
  seo_description text,
  seo_keywords json,
  featured boolean not null,
  featured_order double precision not null,
  tags json,
  google_product_category text,
  meta_product_category text,
  attributes json,
  shipping_info json,
  specifications json not null,
  is_active boolean not null,
  has_variants boolean not null,
  average_rating numeric(2,1) check (average_rating between 1 and 5),
  review_count integer not null default 0 check (review_count >= 0),
  -- When publishable keys could first see the product.
  published_at timestamptz,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Texts in other languages: {"de": {"name": …}}, as canonical JSON text like the other documents.
  translations json,
  primary key (store, environment, id)
);

create unique index product_slug on catalog.product (store, environment, slug);
create unique index product_external_id on catalog.product (store, environment, external_id)
  where external_id is not null and deleted_at is null;
create index product_revision on catalog.product (store, environment, revision);

-- Product lists of catalogues that are not in memory, in the orders of their sorts. Prices sort without an index of their own.
create index product_newest on catalog.product
  (store, environment, created_at desc, id desc) include (is_active) where deleted_at is null;

create index product_of_category on catalog.product
  (store, environment, category_id, created_at desc, id desc) where deleted_at is null and category_id is not null;

create index product_of_subcategory on catalog.product
  (store, environment, subcategory_id, created_at desc, id desc) where deleted_at is null and subcategory_id is not null;

create index product_featured on catalog.product
  (store, environment, (featured::integer) desc, (case when featured then -featured_order else 0 end) desc,
    created_at desc, id desc) where deleted_at is null;

create index product_rated on catalog.product
  (store, environment, (coalesce(average_rating, 0)) desc, review_count desc, created_at desc, id desc)
  where deleted_at is null;

create index product_featured_newest on catalog.product
  (store, environment, created_at desc, id desc) where deleted_at is null and featured;

-- lz4 compresses long texts faster than pglz, where the server was built with it.
do $$ begin
  alter table catalog.product
    alter column description set compression lz4, alter column media set compression lz4,
    alter column attributes set compression lz4, alter column specifications set compression lz4;
exception when feature_not_supported then
  raise notice 'no lz4: long texts are compressed by pglz';
end $$;

-- A change of a variant changes its product too, so the product's revision stands for both. Amounts are in the smallest unit
-- of the store's currency.
create table catalog.variant (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  product_id uuid not null,
  position integer not null,
  is_default boolean not null,
  sku text,
  name text,
  attributes json,
  price bigint check (price >= 0),
  sale_price bigint check (sale_price >= 0),
  condition text not null check (condition in ('new', 'refurbished', 'used')),
  gtin text,
  mpn text,
  weight_grams integer check (weight_grams >= 0),
  dimensions_cm text,
  -- Null: the store's own.
  low_stock_threshold integer check (low_stock_threshold >= 0),
  thumbnail_url text,
  media json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index variant_product on catalog.variant (store, environment, product_id);
create unique index variant_sku on catalog.variant (store, environment, sku) where sku is not null and deleted_at is null;
-- SKUs are looked up without regard to letter case.
create index variant_sku_case on catalog.variant (store, environment, lower(sku)) where sku is not null and deleted_at is null;

-- On hand less held is available. The checks are the last line against overselling.
create table catalog.inventory (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  product_id uuid not null,
  on_hand integer not null check (on_hand >= 0),
  -- Counts the changes of `on_hand`: of two copies of a level the one with the higher number is newer.
  version bigint not null default 1,
  -- All units that orders ever allocated, deducted from `on_hand`. The stock actor learns from it how many of its held units are no
  -- longer on hand.
  allocated bigint not null default 0,
  held integer not null default 0 check (held >= 0),
  -- The fact of the stock actor as of which `held` counts.
  held_seq bigint not null default 0,
  last_restocked date,
  revision bigint not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 80);

create index inventory_revision on catalog.inventory (store, environment, revision);

-- Held units that the catalogue has not taken in. Snapshots of stock actors write them, one row for each variant.
create table catalog.held_change (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  -- Units held as of the fact `seq` of the variant's actor.
  held integer not null,
  seq bigint not null,
  -- Running total of allocated units whose holds the actor has committed. Units allocated beyond these are still in `held`,
  -- though `on_hand` is already without them.
  committed bigint not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Levels that orders changed and the catalogue has not taken in. Orders take no catalogue revision, so that they do not wait
-- for each other or for an ingestion. The table is not held_change, so that snapshots never wait for an order's transaction.
create table catalog.on_hand_change (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  -- The units available before the first of these changes.
  before integer not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table catalog.inventory_adjustment (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  variant_id uuid not null,
  delta integer not null,
  -- The level after the adjustment.
  on_hand integer not null,
  reason text,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create index inventory_adjustment_age on catalog.inventory_adjustment (created_at);
-- The adjustments of one variant, newest first.
create index adjustment_of_variant on catalog.inventory_adjustment
  (store, environment, variant_id, created_at desc, id desc);

create table catalog.collection (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  slug text not null,
  description text not null,
  collection_type text not null check (collection_type in ('featured_collections', 'new_arrivals', 'best_selling', 'custom')),
  is_active boolean not null,
  show_on_homepage boolean not null,
  display_priority integer not null,
  image text,
  image_mobile text,
  video text,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Texts in other languages by language; null without any.
  translations jsonb,
  primary key (store, environment, id)
);

create unique index collection_slug on catalog.collection (store, environment, slug) where deleted_at is null;
create index collection_revision on catalog.collection (store, environment, revision);

create table catalog.collection_product (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  collection_id uuid not null,
  position integer not null,
  product_id uuid not null,
  primary key (store, environment, collection_id, position)
);

-- For catalogues that are not in memory.
create index collection_product_of_product on catalog.collection_product (store, environment, product_id);

create table catalog.price_list (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null: every customer.
  customer_group text,
  starts_at timestamptz,
  ends_at timestamptz,
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id),
  check (ends_at > starts_at)
);

create index price_list_revision on catalog.price_list (store, environment, revision);
-- Tenants whose prices change by time.
create index price_list_dated on catalog.price_list (store, environment)
  where deleted_at is null and (starts_at is not null or ends_at is not null);
-- Lists of any store that start or end soon.
create index price_list_starts on catalog.price_list (starts_at)
  where deleted_at is null and starts_at is not null and customer_group is null;
create index price_list_ends on catalog.price_list (ends_at)
  where deleted_at is null and ends_at is not null and customer_group is null;

-- In the smallest unit of the list's currency.
create table catalog.price_list_price (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  price_list_id uuid not null,
  variant_id uuid not null,
  min_quantity integer not null check (min_quantity >= 1),
  price bigint not null check (price >= 0),
  primary key (store, environment, price_list_id, variant_id, min_quantity)
);

create index price_list_price_variant on catalog.price_list_price (store, environment, variant_id);

-- A row is one import. The payload is committed with the job, so an acknowledged import is durable. A tenant has one running
-- job, in the order of `sequence`. The worker holds a lease in real time and commits progress with each batch of rows.
create table catalog.ingestion_job (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  -- The feed that the job fetches; null for a push.
  feed_id uuid,
  mode text not null check (mode in ('upsert', 'replace')),
  format text not null check (format in ('json', 'ndjson', 'csv', 'google_xml')),
  url text,
  mapping json not null default '{}',
  status text not null check (status in ('queued', 'running', 'completed', 'failed')),
  -- Compressed. Null before it is fetched and after the job's end.
  payload bytea,
  rows_total integer not null default 0,
  rows_done integer not null default 0,
  rows_created integer not null default 0,
  rows_updated integer not null default 0,
  rows_unchanged integer not null default 0,
  rows_failed integer not null default 0,
  rows_deactivated integer not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  lease uuid,
  leased_until timestamptz,
  -- Starts that got no row further.
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- Whether the job checks and counts its rows without writing products.
  dry_run boolean not null default false,
  -- When the job may be claimed, in real time, if it is first in its tenant's queue.
  due_at timestamptz not null default now(),
  primary key (store, environment, id)
);
alter table catalog.ingestion_job alter column payload set storage external;

create unique index ingestion_job_running on catalog.ingestion_job (store, environment) where status = 'running';
create index ingestion_job_open on catalog.ingestion_job (sequence) where status in ('queued', 'running');
-- Unfinished jobs, by the time from which they may be claimed.
create index ingestion_job_due on catalog.ingestion_job (due_at) where status in ('queued', 'running');
create index ingestion_job_newest on catalog.ingestion_job (store, environment, sequence);
create index ingestion_job_feed on catalog.ingestion_job (store, environment, feed_id, sequence) where feed_id is not null;

create table catalog.ingestion_error (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  job_id uuid not null,
  number integer not null,
  -- Null: the error is the whole job's.
  row integer,
  external_id text,
  code text not null,
  param text,
  message text not null,
  primary key (store, environment, job_id, number)
);

-- The products that a `replace` job has named so far. A restarted job still knows which ones the file leaves out.
create table catalog.ingestion_seen (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  job_id uuid not null,
  external_id text not null,
  primary key (store, environment, job_id, external_id)
);

create table catalog.ingestion_feed (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  sequence bigint generated always as identity,
  name text not null,
  url text not null,
  format text not null check (format in ('json', 'ndjson', 'csv', 'google_xml')),
  mode text not null check (mode in ('upsert', 'replace')),
  mapping json not null,
  interval_minutes integer check (interval_minutes > 0),
  -- The tenant's time.
  next_sync_at timestamptz,
  last_sync_at timestamptz,
  last_status text check (last_status in ('completed', 'failed')),
  last_job_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create index ingestion_feed_newest on catalog.ingestion_feed (store, environment, sequence) where deleted_at is null;
create index ingestion_feed_due on catalog.ingestion_feed (next_sync_at) where deleted_at is null and next_sync_at is not null;

-- Prices of variants with the time in which each applies: products' own ones, and those that price lists set for everybody. Shoppers saw
-- the lowest of them while the product was shown.
create table catalog.price_period (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  product_id uuid not null,
  variant_id uuid not null,
  -- All zeros: the product's own price, in force while publishable keys see the product.
  price_list_id uuid not null default '00000000-0000-0000-0000-000000000000',
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In the currency's smallest unit. Null in a product's own price: none was set.
  price bigint check (price >= 0),
  selling_price bigint check (selling_price >= 0),
  -- The tenant's time; a price list's may be ahead.
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  primary key (store, environment, product_id, variant_id, price_list_id, starts_at)
);

create index price_period_of_list on catalog.price_period (store, environment, price_list_id, variant_id)
  where price_list_id <> '00000000-0000-0000-0000-000000000000';
create index price_period_age on catalog.price_period (ends_at) where ends_at is not null;
