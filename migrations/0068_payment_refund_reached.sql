-- A try of a refund that surely never came to its provider is made again as the first one was. One that may have come
-- there is asked about before anything is asked for a second time.
alter table payment.refund add column reached integer not null default 0;
update payment.refund set reached = attempts;
