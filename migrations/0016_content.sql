-- Content: the blog's posts and lookbooks, and their views.
create schema content;

-- One row for each tenant, raised with every change of its content. Copies compare it.
create table content.revision (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  revision bigint not null,
  primary key (store, environment)
) with (fillfactor = 50);

create table content.post (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  title text not null,
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,199}$'),
  excerpt text,
  -- Markdown, as it was written.
  body text not null,
  cover_image text,
  author text,
  tags text[] not null,
  -- The tags in the form in which they are compared.
  tag_keys text[] not null,
  status text not null check (status in ('draft', 'scheduled', 'published')),
  published_at timestamptz,
  -- When the post was published for the first time, which one event announces.
  first_published_at timestamptz,
  seo_title text,
  seo_description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Texts in other languages by language; null without any.
  translations jsonb,
  primary key (store, environment, id),
  check (status = 'draft' or published_at is not null),
  check (status <> 'published' or first_published_at is not null)
);

create unique index post_slug on content.post (store, environment, slug) where deleted_at is null;
create index post_written on content.post (store, environment, created_at desc, id desc) where deleted_at is null;
create index post_published on content.post (store, environment, published_at desc, id desc)
  where deleted_at is null and status <> 'draft';
create index post_due on content.post (published_at) where deleted_at is null and status = 'scheduled';

create table content.lookbook (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  title text not null,
  slug text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,199}$'),
  description text not null,
  featured_image text,
  video text,
  collection_id uuid,
  status text not null check (status in ('draft', 'published')),
  published_at timestamptz,
  -- When the lookbook was published for the first time, which one event announces.
  first_published_at timestamptz,
  -- In their order, each with its hotspots. A hotspot's product is looked up when the lookbook is read.
  images json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- Texts in other languages by language: {"de": {"title": …}}; null without any.
  translations jsonb,
  primary key (store, environment, id),
  check (status = 'draft' or published_at is not null),
  check (status <> 'published' or first_published_at is not null)
);

create unique index lookbook_slug on content.lookbook (store, environment, slug) where deleted_at is null;
create index lookbook_written on content.lookbook (store, environment, created_at desc, id desc) where deleted_at is null;
create index lookbook_published on content.lookbook (store, environment, published_at desc, id desc)
  where deleted_at is null and status = 'published';

-- Views: a row for each session that looked at a post or lookbook on a day.
create table content.view (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  -- A post or a lookbook.
  content uuid not null,
  -- A day of UTC, by the tenant's clock.
  day date not null,
  -- Digests tell sessions and visitors apart without naming them.
  session bytea not null,
  visitor bytea not null,
  views integer not null check (views >= 1),
  -- The last counted view. A view soon after it is a repetition.
  counted_at timestamptz not null,
  primary key (store, environment, content, day, session)
);

create index view_day on content.view (day);
