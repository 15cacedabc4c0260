-- Names, scopes, signing secrets and overlaps of API keys, and their last use.

-- `revoked_at` lies ahead for a key that was rolled with an overlap: it works until then.
alter table store.api_key add column name text not null default 'API key';
-- The last characters of the key's text. Null: created before these were stored.
alter table store.api_key add column last_four text;
-- Scopes of a restricted key. Null: a full key.
alter table store.api_key add column scopes json;
-- The key's own sealed signing secret. Null: it signs with that of the environment.
alter table store.api_key add column hmac_secret bytea;

-- The last use of each key. A separate table, because uses are written while the key itself does not change.
create table store.key_use (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  key uuid not null references store.api_key (id),
  used_at timestamptz not null,
  address text,
  primary key (store, environment, key)
);
