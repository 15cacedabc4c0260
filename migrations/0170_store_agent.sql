-- Which agent protocols a store speaks, and the hosts at whose root its agents find it.
alter table store.store
  add column agents_mcp boolean not null default true,
  add column agents_acp boolean not null default true,
  add column agents_ucp boolean not null default true;

create table store.domain (
  domain text primary key,
  store uuid not null references store.store (id) on delete cascade,
  -- As the merchant lists them.
  position integer not null
);

create index domain_store on store.domain (store, position);
