-- The e-mail address that a customer has shown to be theirs: by a link or a code that was mailed there, or by the word of
-- the store's own accounts. An address that was only typed in when registering is in no row.
create table customer.email_proof (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  customer uuid not null,
  -- As it was proved: once the customer has another address, this says nothing of it.
  email text not null,
  proved_at timestamptz not null,
  primary key (store, environment, customer),
  foreign key (store, environment, customer) references customer.customer on delete cascade
);
