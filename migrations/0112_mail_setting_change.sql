-- Notes the last change of each kind of mail, which a later change may name as its version. `enabled` is null where a store
-- changed the templates of a kind alone.
alter table mail.setting add column changed_at timestamptz;
alter table mail.setting alter column enabled drop not null;
