-- Language of the texts that are pushed to the channel; null for the store's default one.
alter table channel.channel add column language text;
