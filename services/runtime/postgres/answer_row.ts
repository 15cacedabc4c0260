// Stores answers by idempotency key, to be replayed to retries.
import type { Sql } from './sql.ts';

/** 24 hours by the tenant's clock. */
export const ANSWER_RETENTION_MS = 24 * 3_600_000;

export interface AnswerRows {
  readonly store: string;
  readonly environment: string;
  readonly keys: readonly string[];
  readonly fingerprints: readonly string[];
  readonly sealed: readonly string[];
  readonly now: Date;
}

export const insertAnswers = (sql: Sql, { store, environment, keys, fingerprints, sealed, now }: AnswerRows) => sql`
  insert into runtime.idempotency as stored (store, environment, key, fingerprint, answer, expires_at)
  select ${store}, ${environment}, decode(key, 'hex'), fingerprint, decode(answer, 'base64'),
    ${new Date(now.getTime() + ANSWER_RETENTION_MS)}
  from unnest(${keys as string[]}::text[], ${fingerprints as string[]}::text[], ${sealed as string[]}::text[])
    as made (key, fingerprint, answer)
  on conflict (store, environment, key) do update
    set fingerprint = excluded.fingerprint, answer = excluded.answer, expires_at = excluded.expires_at
    where stored.expires_at <= ${now}
  returning 1`;
