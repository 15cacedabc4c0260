-- Outside of a transaction: these tables are written all the time, and an index that is built beside that locks no writer out.
-- What is forgotten by its age is found by it.
drop index concurrently if exists agent.quote_age;
create index concurrently quote_age on agent.quote (expires_at);
drop index concurrently if exists agent.draft_age;
create index concurrently draft_age on agent.draft (expires_at);
drop index concurrently if exists agent.intent_age;
create index concurrently intent_age on agent.intent (expires_at);
drop index concurrently if exists payment.token_age;
create index concurrently token_age on payment.token (expires_at);
drop index concurrently if exists catalog.inventory_adjustment_age;
create index concurrently inventory_adjustment_age on catalog.inventory_adjustment (created_at);
drop index concurrently if exists runtime.dead_event_age;
create index concurrently dead_event_age on runtime.dead_event (died_at);
