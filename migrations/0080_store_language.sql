-- Language of a store's texts, and the languages that they are translated into.
alter table store.store
  add column language text not null default 'en',
  add column languages text[] not null default '{}';
