-- Contract: builds before 1.0.0 alone called these functions. Uses are counted by services/pricing/transaction.ts.
drop function pricing.redeem(uuid, text, uuid, text, uuid[], bigint[], timestamptz);
drop function pricing.release(uuid, text, uuid, timestamptz);
