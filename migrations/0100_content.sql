-- Content: the blog's posts and lookbooks.
create schema content;

-- One row a tenant, raised with every change of its content: copies are held against it.
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
  -- The same, as they are compared.
  tag_keys text[] not null,
  status text not null check (status in ('draft', 'scheduled', 'published')),
  published_at timestamptz check (status = 'draft' or published_at is not null),
  -- When it was published for the first time, which is told once.
  told_at timestamptz check (status <> 'published' or told_at is not null),
  seo_title text,
  seo_description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
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
  published_at timestamptz check (status = 'draft' or published_at is not null),
  -- When it was published for the first time, which is told once.
  told_at timestamptz check (status <> 'published' or told_at is not null),
  -- In their order, each with its hotspots. What these lead to is looked up when they are read.
  images json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id)
);

create unique index lookbook_slug on content.lookbook (store, environment, slug) where deleted_at is null;
create index lookbook_written on content.lookbook (store, environment, created_at desc, id desc)
  where deleted_at is null;
create index lookbook_published on content.lookbook (store, environment, published_at desc, id desc)
  where deleted_at is null and status = 'published';
