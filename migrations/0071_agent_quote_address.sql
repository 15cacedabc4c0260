-- Where a quote's goods go, if that was said: an order or checkout intent of it need not say it again.

alter table agent.quote add column shipping_address json;
