-- Signatures seen on an operation: as long as its timestamp lives, a signature is refused on every other one.

create table runtime.signature (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  signature bytea not null,
  operation text not null,
  expires_at timestamptz not null,
  primary key (store, environment, signature)
);

create index on runtime.signature (expires_at);
