-- The HMAC secret that a rotation replaced, and until when requests signed with it are still taken.
alter table store.environment
  add column previous_hmac_secret bytea,
  add column previous_hmac_until timestamptz;
