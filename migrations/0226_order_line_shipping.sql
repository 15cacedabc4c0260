-- A line that needs no shipping counts as shipped. The mark is the variant's when the order is placed; lines of older orders
-- keep the count that they had.
alter table orders.line add column requires_shipping boolean not null default true;
