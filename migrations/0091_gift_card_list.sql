-- Outside of a transaction

-- A store's gift cards, newest first, and by the last letters of their codes.
create index concurrently if not exists gift_card_newest on ledger.gift_card
  (store, environment, created_at desc, id desc);

create index concurrently if not exists gift_card_of_ending on ledger.gift_card
  (store, environment, reverse(code_last4) text_pattern_ops);
