-- BCP 47 tag of the language in which mails to a customer, or about a product that is back, are written; null for the store's
-- default one.
alter table customer.customer add column language text;
alter table mail.stock_alert add column language text;
