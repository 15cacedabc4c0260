-- Place of a category among its siblings, counted from 1. Categories without one stand behind the others, by name.
alter table catalog.category add column position integer check (position > 0);
