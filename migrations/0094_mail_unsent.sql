-- Outside of a transaction
-- Mails to be sent, by the time of their next attempt.
create index concurrently if not exists message_unsent on mail.message (environment, due_at)
  where state in ('due', 'waiting');
