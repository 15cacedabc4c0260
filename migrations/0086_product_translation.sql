-- Texts of products in other languages: {"de": {"name": …}}, as canonical JSON text like the product's other documents.
alter table catalog.product add column translations json;
