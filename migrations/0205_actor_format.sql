-- A snapshot says in which format of its kind it is written, so that a release which does not know it leaves it alone.

alter table runtime.actor add column format smallint not null default 1;
