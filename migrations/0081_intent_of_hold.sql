-- Outside of a transaction

-- The checkout intent behind a hold of stock.
create index concurrently if not exists intent_of_hold on agent.intent (store, environment, hold);
