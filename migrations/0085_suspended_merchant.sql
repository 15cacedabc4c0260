-- When an operator suspended a merchant; null while it sells for it.
alter table store.operator_store add column suspended_at timestamptz;
