-- Who began a checkout or a cart, and by which protocol; who buys, beside their e-mail address.
alter table agent.intent
  add column agent json,
  add column buyer json,
  add column note text;

alter table agent.draft
  add column agent json,
  add column buyer json,
  add column cancelled boolean not null default false;
