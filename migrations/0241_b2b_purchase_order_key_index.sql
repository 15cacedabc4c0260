-- Outside of a transaction: an index that is built beside writers locks none of them out.
-- A number is good once a buyer, in whichever letter case, also where two orders of it are placed at once.
drop index concurrently if exists b2b.purchase_order_key;
create unique index concurrently purchase_order_key
  on b2b.purchase_order (store, environment, customer_id, po_key) where po_key is not null;
