-- Outside of a transaction
-- Orders that a guest placed with an address, until somebody proves it.
create index concurrently if not exists order_of_guest
  on orders.order (store, environment, normalize(lower(normalize(email, NFC)), NFC)) where customer_id is null;
