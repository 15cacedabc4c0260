-- Usage is counted by the actors of limits.

drop table store.usage_window;
