-- Time at which a promotion was deleted. The row stays, since orders that were priced before still count their use.
alter table pricing.promotion add column deleted_at timestamptz;
