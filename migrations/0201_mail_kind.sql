-- Outside of a transaction: what reads the whole table keeps no writer out of it.
alter table mail.message validate constraint message_kind_check;
