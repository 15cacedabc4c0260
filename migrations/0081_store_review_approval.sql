-- Which reviews are approved as they are written.
alter table store.store add column review_approval text not null default 'manual'
  check (review_approval in ('manual', 'verified', 'all'));
