-- BCP 47 tag of the language in which mails about the order of a checkout are written; null for the store's default one.
alter table agent.intent add column language text;
