-- What a label is being bought by, noted before it is, so that a purchase whose answer was lost can be looked up; and when
-- somebody last set about it.
alter table shipping.label
  add column purchase text,
  add column claimed_at timestamptz not null default now();
