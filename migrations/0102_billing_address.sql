-- Billing addresses of drafts and intents. Null stands for the shipping address.
alter table agent.draft add column billing_address json;
alter table agent.intent add column billing_address json;
