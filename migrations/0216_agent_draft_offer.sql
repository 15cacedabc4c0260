-- What a cart draft came to when it was last written: shown as long as one of its products is not sold any more. Null: it
-- was written by an older release.
alter table agent.draft add column offer json;
