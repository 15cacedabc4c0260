-- Pieces that were given back before they were sent stay where they are: they are not sent any more, and a cancelled order
-- does not give them back once more.

alter table orders.line add column quantity_withdrawn integer not null default 0;

update orders.line set quantity_withdrawn = quantity_returned - quantity_fulfilled
where quantity_returned > quantity_fulfilled;

alter table orders.line add check (quantity_withdrawn >= 0 and quantity_fulfilled + quantity_withdrawn <= quantity);
