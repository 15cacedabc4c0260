-- Prices of variants with the time in which each applies: products' own ones, and those that price lists set for everybody. Shoppers saw
-- the lowest of them while the product was shown.
create table catalog.price_period (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  product_id uuid not null,
  variant_id uuid not null,
  -- All zeros: the product's own price, in force while publishable keys see the product.
  price_list_id uuid not null default '00000000-0000-0000-0000-000000000000',
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In the currency's smallest unit. Null in a product's own price: none was set.
  price bigint check (price >= 0),
  selling_price bigint check (selling_price >= 0),
  -- The tenant's time; a price list's may be ahead.
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at > starts_at),
  primary key (store, environment, product_id, variant_id, price_list_id, starts_at)
);

create index price_period_of_list on catalog.price_period (store, environment, price_list_id, variant_id)
  where price_list_id <> '00000000-0000-0000-0000-000000000000';
create index price_period_age on catalog.price_period (ends_at) where ends_at is not null;

-- A price of before this table is known to apply since its product was last changed.
insert into catalog.price_period
  (store, environment, product_id, variant_id, currency, price, selling_price, starts_at)
select p.store, p.environment, p.id, v.id, s.currency, v.price, least(v.price, v.sale_price), p.updated_at
from catalog.product p
join catalog.variant v on v.store = p.store and v.environment = p.environment and v.product_id = p.id
join store.store s on s.id = p.store
where p.is_active and p.deleted_at is null and v.deleted_at is null;

insert into catalog.price_period
  (store, environment, product_id, variant_id, price_list_id, currency, price, selling_price, starts_at, ends_at)
select l.store, l.environment, v.product_id, v.id, l.id, l.currency, p.price, p.price,
  greatest(l.starts_at, l.updated_at), l.ends_at
from catalog.price_list l
join catalog.price_list_price p on p.store = l.store and p.environment = l.environment and p.price_list_id = l.id
join catalog.variant v on v.store = p.store and v.environment = p.environment and v.id = p.variant_id
where l.customer_group is null and p.min_quantity = 1 and l.deleted_at is null and v.deleted_at is null
  and (l.ends_at is null or l.ends_at > greatest(l.starts_at, l.updated_at));
