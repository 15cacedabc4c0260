-- Endpoints of assistants' platforms hear of orders in their protocol's own words.
alter table webhook.endpoint add column format text not null default 'stoa' check (format in ('stoa', 'acp'));
