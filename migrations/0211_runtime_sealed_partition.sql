-- What a sealed log's row says is for ever. A host of a release that knows of no layout, and stood still while the log was
-- sealed, would go on with it once the mark at its end is trimmed: it begins by bringing a row with the sequence 0 forward,
-- and does not serve where it cannot.

alter table runtime.partition add constraint partition_sealed_check
  check (sealed_at is null or sequence = 0) not valid;
