-- A buyer's number without regard to letter case. Rows of before, and of the release before, have none.
alter table b2b.purchase_order add column po_key text;
