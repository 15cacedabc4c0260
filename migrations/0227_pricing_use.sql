-- Uses per customer count the customer and each address that they used: an identity is a customer's id or a normal address.
create table pricing.redemption_identity (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  promotion uuid not null,
  identity text not null,
  "order" uuid not null,
  primary key (store, environment, promotion, identity, "order")
);

insert into pricing.redemption_identity (store, environment, promotion, identity, "order")
select store, environment, promotion, customer, "order" from pricing.redemption where customer is not null;
