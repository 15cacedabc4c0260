-- Outside of a transaction.
-- Lists a store's keys, newest first, those that ended included.
create index concurrently if not exists api_key_list on store.api_key (store, created_at desc, id desc);
