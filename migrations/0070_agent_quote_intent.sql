-- A quote is used once: by an order, or by the checkout intent that it went into.

alter table agent.quote add column intent_id uuid;
