-- Outside of a transaction

-- Sessions of the dashboard by their beginning: each ends 30 days after it.
create index concurrently if not exists session_age on staff.session (created_at);
