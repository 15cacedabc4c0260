-- Each piece of an order line is put back into stock at most once, whatever puts it back: a cancellation, a refund, a return.

alter table orders.line add column quantity_restocked integer not null default 0;

-- What refunds put back, and what a cancellation did with all that was never sent nor given back.
update orders.line l set quantity_restocked = least(l.quantity, coalesce((
  select sum((item ->> 'quantity')::integer)
  from orders.refund r, json_array_elements(r.items) as item
  where r.store = l.store and r.environment = l.environment and r.order_id = l.order_id
    and item ->> 'line' = l.id::text and (item ->> 'restock')::boolean
), 0) + case when o.order_status = 'cancelled' then l.quantity - l.quantity_fulfilled - l.quantity_withdrawn else 0 end)
from orders.order o
where o.store = l.store and o.environment = l.environment and o.id = l.order_id;

alter table orders.line add check (quantity_restocked between 0 and quantity);

-- A line that cost nothing is given back for nothing.
alter table orders.refund drop constraint refund_amount_check;
alter table orders.refund add check (amount >= 0);
