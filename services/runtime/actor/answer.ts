// Remembers answers by idempotency key until Postgres has them, and replays them to retries.
import { refuse, type Tenant, type TenantKey } from '#runtime/call/call.ts';
import { ANSWER_RETENTION_MS } from '#runtime/postgres/answer_row.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { Batch, CommandResult, Key, RememberedAnswer } from './actor_instance.ts';
import type { StoredAnswer } from './journal_record.ts';
import type { SavedAnswer } from './snapshot.ts';

const CONFLICT: CommandResult = {
  answer: refuse('idempotency_conflict', 'This Idempotency-Key was used with another request body.'),
  replayed: false,
  response: null,
};

export class AnswerLog {
  readonly #seal: Seal;
  readonly #remembered: Map<TenantKey, RememberedAnswer>;

  constructor(seal: Seal, remembered: readonly RememberedAnswer[]) {
    this.#seal = seal;
    this.#remembered = new Map(remembered.map((answer) => [answer.name, answer]));
  }

  /** Tells whether memory has an entry for the key, even a lost one, so that Postgres need not be asked. */
  holdsAnswerTo({ name }: Key): boolean {
    return this.#remembered.has(name);
  }

  find({ name }: Key, now: number): RememberedAnswer | null {
    const remembered = this.#remembered.get(name);
    // An answer whose batch was lost has `forgetAt` -Infinity and is not replayed.
    const stands = remembered && remembered.forgetAt > Number.NEGATIVE_INFINITY;
    return stands && remembered.stored.expiresAt > now ? remembered : null;
  }

  seal({ hash, context, fingerprint }: Key, answer: unknown, now: number): StoredAnswer {
    const sealed = this.#seal.close(JSON.stringify(answer ?? null), context);
    return { hash, fingerprint, sealed: Buffer.from(sealed).toString('base64'), expiresAt: now + ANSWER_RETENTION_MS };
  }

  remember({ tenant, name }: Key, stored: StoredAnswer, batch: Batch): RememberedAnswer {
    const remembered = { stored, tenant, name, batch, response: null, forgetAt: Number.POSITIVE_INFINITY };
    this.#remembered.set(name, remembered);
    return remembered;
  }

  /**
   * Returns the response as a row to store in place of the answer. Null where the answer was forgotten: a retry then
   * renders the response again.
   */
  respond(key: Key, response: Uint8Array, sealed: Uint8Array): SavedAnswer | null {
    const remembered = this.#remembered.get(key.name);
    if (remembered?.stored.fingerprint !== key.fingerprint) return null;
    remembered.response = response;
    return {
      store: key.tenant.store,
      environment: key.tenant.environment,
      hash: key.hash,
      fingerprint: key.fingerprint,
      answer: sealed,
      expiresAt: remembered.stored.expiresAt,
      rendered: true,
    };
  }

  replay(key: Key, { stored, response }: RememberedAnswer): CommandResult {
    if (stored.fingerprint !== key.fingerprint) return CONFLICT;
    if (response) return { answer: null, replayed: true, response };
    return this.#open(key, Buffer.from(stored.sealed, 'base64'));
  }

  replaySaved(key: Key, saved: SavedAnswer): CommandResult {
    if (saved.fingerprint !== key.fingerprint) return CONFLICT;
    if (!saved.rendered) return this.#open(key, saved.answer);
    return { answer: null, replayed: true, response: this.#seal.openBytes(saved.answer, key.context) };
  }

  drop(batches: readonly Batch[]): void {
    for (const { answers } of batches)
      for (const answer of answers)
        if (this.#remembered.get(answer.name) === answer) this.#remembered.delete(answer.name);
  }

  forgetAll({ store, environment }: Tenant): void {
    for (const [name, { tenant }] of this.#remembered)
      if (tenant.store === store && tenant.environment === environment) this.#remembered.delete(name);
  }

  forget(now: number): void {
    for (const [name, { forgetAt }] of this.#remembered) if (forgetAt <= now) this.#remembered.delete(name);
  }

  #open(key: Key, sealed: Uint8Array): CommandResult {
    const text = Buffer.from(this.#seal.openBytes(sealed, key.context)).toString('utf8');
    return { answer: JSON.parse(text), replayed: true, response: null };
  }
}
