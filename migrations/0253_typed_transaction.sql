-- What one domain does in the transaction of another is typed code of its own now (services/*/transaction.ts).
drop trigger inventory_on_hand on catalog.inventory;
drop function catalog.move_on_hand();
drop function agent.take(uuid, text, uuid[], uuid[], timestamptz);
drop function agent.take(uuid, text, uuid[], uuid[], integer[], timestamptz);
drop function agent.name_buyer(uuid, text, uuid, text, json);
drop function b2b.confirm(uuid, text, uuid, uuid, uuid, timestamptz);
drop function b2b.fulfil(uuid, text, uuid, uuid, uuid, timestamptz);
drop function b2b.cancel(uuid, text, uuid);
drop function payment.take(uuid, text, uuid, uuid, text);
