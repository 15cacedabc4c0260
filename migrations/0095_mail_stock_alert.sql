-- Shoppers who want a mail when a product can be bought again. A row is deleted in the transaction that writes its mail.
create table mail.stock_alert (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  product_id uuid not null,
  -- Null for any variant of the product.
  variant_id uuid,
  -- In lower case.
  email text not null,
  created_at timestamptz not null,
  primary key (store, environment, id),
  unique nulls not distinct (store, environment, product_id, variant_id, email)
);

create index stock_alert_by_age on mail.stock_alert (created_at);
