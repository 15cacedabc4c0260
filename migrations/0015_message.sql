-- Conversations between a customer and a store.
create schema message;

-- Numbers a thread's messages in the order in which they were written; all threads share the sequence.
create sequence message.number;

create table message.thread (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  customer_id uuid not null,
  order_id uuid,
  subject text not null,
  status text not null check (status in ('open', 'closed')),
  -- The other side's messages that each side has not read, without deleted ones.
  customer_unread integer not null default 0 check (customer_unread >= 0),
  store_unread integer not null default 0 check (store_unread >= 0),
  last_message_at timestamptz not null,
  last_number bigint not null,
  primary key (store, environment, id)
);

create index thread_list on message.thread (store, environment, last_message_at desc, last_number desc);
create index thread_of_customer on message.thread (store, environment, customer_id, last_message_at desc, last_number desc);
create index thread_by_status on message.thread (store, environment, status, last_message_at desc, last_number desc);
create index thread_unread on message.thread (store, environment, last_message_at desc, last_number desc)
  where store_unread > 0;

create table message.message (
  store uuid not null,
  environment text not null check (environment in ('production', 'sandbox')),
  id uuid not null,
  thread_id uuid not null,
  number bigint not null,
  sender text not null check (sender in ('customer', 'store')),
  -- Null once the message is deleted; it has no attachments then.
  body text,
  attachments json not null,
  -- The time at which the other side read the message.
  read_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (store, environment, id),
  foreign key (store, environment, thread_id) references message.thread on delete cascade,
  check ((body is null) = (deleted_at is not null))
);

create unique index message_in_thread on message.message (store, environment, thread_id, number);
create index message_unread on message.message (store, environment, thread_id, sender)
  where read_at is null and deleted_at is null;
