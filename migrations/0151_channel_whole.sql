-- Since when everything is to be pushed anew: what was pushed after that need not be pushed once more where a process died.
alter table channel.channel add column whole_since timestamptz;
update channel.channel set whole_since = updated_at where whole;
alter table channel.channel drop column whole;
