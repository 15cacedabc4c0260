// Makes edges resolve a store's staff sessions again, after one of them or an account has changed.
import type { Notices } from '#runtime/nats/notice.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

/** Milliseconds that a caller waits for other hosts, which pass the notice on to their edges. */
const FOLLOW_MS = 1_000;

export const publishStaffChange = (tx: Transaction, notices: Notices, store: string): void =>
  tx.afterCommit(() =>
    notices.publishAcknowledged({ kind: 'staff', tenant: { store, environment: 'production' } }, FOLLOW_MS),
  );
