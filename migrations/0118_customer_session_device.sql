-- The browser of a customer's session, as the store's server named it; null where it did not.
alter table customer.session add column user_agent text;
