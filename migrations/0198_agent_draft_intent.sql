-- The checkout that a cart became last: asked for again while it lives, it is the same one.
alter table agent.draft add column intent uuid;
