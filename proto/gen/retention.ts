// Generated from stoa/v1/retention.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** Days after which records are deleted, by the real clock. Null: the default, which is also the longest. */
export type StoreRetention = {
  /** Events and webhook payloads; 30 by default. */
  events_days: number | null;
  /** Mails; 7 by default. */
  mails_days: number | null;
  /** Quotes, cart drafts and checkout intents without an order, after their end; 90 by default. */
  checkouts_days: number | null;
  /** Audit records; 400 by default. */
  audit_days: number | null;
  /** Message threads, after their last message; not deleted by default. */
  messages_days: number | null;
};

/** Days after which records are deleted, by the real clock. Null: the default, which is also the longest. */
export type StoreRetentionInput = {
  /** Events and webhook payloads; 30 by default. */
  events_days?: number | null;
  /** Mails; 7 by default. */
  mails_days?: number | null;
  /** Quotes, cart drafts and checkout intents without an order, after their end; 90 by default. */
  checkouts_days?: number | null;
  /** Audit records; 400 by default. */
  audit_days?: number | null;
  /** Message threads, after their last message; not deleted by default. */
  messages_days?: number | null;
};
