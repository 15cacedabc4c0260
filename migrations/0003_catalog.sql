-- The catalogue: products and variants, stock levels, categories, collections, price lists.
create schema catalog;

-- One row a tenant. A write takes the row's lock, then the next revision, and stamps with it what it changes: whoever
-- keeps a copy asks for what is newer than his own. As the lock is held until the commit, revisions appear in order.
create table catalog.revision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  changed_at timestamptz not null,
  -- The last moment at which prices changed by time alone and a revision was taken for it.
  repriced_at timestamptz,
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  revision bigint not null,
  primary key (store, environment, id)
);

create unique index category_slug on catalog.category (store, environment, slug) where deleted_at is null;
create index category_revision on catalog.category (store, environment, revision);

-- Documents are json, not jsonb: nothing looks inside them here, and they come out as they went in.
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
  average_rating numeric(2, 1) check (average_rating between 1 and 5),
  review_count integer not null default 0 check (review_count >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When publishable keys could first see it.
  published_at timestamptz,
  deleted_at timestamptz,
  revision bigint not null,
  primary key (store, environment, id)
);

create unique index product_slug on catalog.product (store, environment, slug);
create unique index product_external_id on catalog.product (store, environment, external_id)
  where external_id is not null and deleted_at is null;
create index product_revision on catalog.product (store, environment, revision);

-- A change of a variant is one of its product too, so the product's revision stands for both. Amounts are in the
-- smallest unit of the store's currency.
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

-- What can be bought is on hand less held. The check is the last line against overselling.
create table catalog.inventory (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  variant_id uuid not null,
  product_id uuid not null,
  on_hand integer not null check (on_hand >= 0),
  held integer not null default 0 check (held >= 0),
  last_restocked date,
  revision bigint not null,
  primary key (store, environment, variant_id)
) with (fillfactor = 80);

create index inventory_revision on catalog.inventory (store, environment, revision);

create table catalog.inventory_adjustment (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  variant_id uuid not null,
  delta integer not null,
  -- What it came to.
  on_hand integer not null,
  reason text,
  created_at timestamptz not null,
  primary key (store, environment, id)
);

create table catalog.collection (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  slug text not null,
  description text not null,
  collection_type text not null
    check (collection_type in ('featured_collections', 'new_arrivals', 'best_selling', 'custom')),
  is_active boolean not null,
  show_on_homepage boolean not null,
  display_priority integer not null,
  image text,
  image_mobile text,
  video text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  revision bigint not null,
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

create table catalog.price_list (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  name text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Null: everybody's.
  customer_group text,
  starts_at timestamptz,
  ends_at timestamptz check (ends_at > starts_at),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  revision bigint not null,
  primary key (store, environment, id)
);

create index price_list_revision on catalog.price_list (store, environment, revision);
-- Whose prices change by time.
create index price_list_dated on catalog.price_list (store, environment)
  where deleted_at is null and (starts_at is not null or ends_at is not null);

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
