// Recognises a retry by its key and returns the stored answer. Runs in the transaction that does the work, so that
// effect and answer are committed together.

import {
  type Call,
  NO_STORE,
  type Refusal,
  refuse,
  type Tenant,
  type TenantKey,
  tenantKey,
} from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { sha256 } from '#runtime/process/seal.ts';
import type { Postgres, Transaction } from './database.ts';
import type { SealedColumn } from './reseal.ts';
import type { Sql } from './sql.ts';

const RETRY_AFTER_S = 1;
const stillRunning = (): Refusal =>
  refuse('conflict', 'A request with this Idempotency-Key is still running.', { retryAfterS: RETRY_AFTER_S });
export const STILL_RUNNING = stillRunning();
/**
 * The same message as `STILL_RUNNING`, where the running request is known to have an equal body, here or on another
 * host.
 */
export const SAME_REQUEST_RUNNING = stillRunning();

export interface Stored {
  readonly body: Uint8Array;
}

export interface AnswerKey {
  readonly store: string;
  readonly environment: string;
  readonly key: Buffer;
  readonly name: TenantKey;
  readonly context: string;
}

/** Names an answer uniquely; `hash`, in hex, is unique only within the tenant. */
export const answerNameOf = ({ store, environment }: Tenant, hash: string): TenantKey =>
  tenantKey({ store: store || NO_STORE, environment }, hash);

export const answerKeyOf = (tenant: Tenant, scope: string, key: string): AnswerKey => {
  // The length marks where the scope ends, so that no two pairs of scope and key give one text.
  const hash = sha256(`${scope.length}:${scope}\n${key}`);
  const name = answerNameOf(tenant, hash.toString('hex'));
  return {
    store: tenant.store || NO_STORE,
    environment: tenant.environment,
    key: hash,
    name,
    context: `idempotency/${name}`,
  };
};

const lockOf = (name: string): string => sha256(name).readBigInt64BE(0).toString();
const keyLockOf = ({ context }: AnswerKey): string => lockOf(context);
/** Id of a shared lock on key and body, by which other requests see that an equal one runs. */
const bodyLockOf = ({ context }: AnswerKey, call: Call): string =>
  lockOf(`${context}/${call.idempotency!.fingerprint}`);

interface Claim {
  readonly held: boolean;
  readonly same: boolean;
  readonly fingerprint: string | null;
  readonly answer: Buffer | null;
}

/**
 * Claims the call's key; must be the transaction's first statement. Null: run the call, then `storeAnswer`. Returns a
 * refusal if the key was used with another body or its first request still runs. An answer that commits between the
 * query and the lock is missed: `storeAnswer` then fails, and the transaction is repeated.
 */
export const claimKey = async (tx: Transaction, call: Call): Promise<Stored | Refusal | null> => {
  const { idempotency, tenant } = call;
  if (!idempotency) return null;
  const { sql } = tx;
  const at = answerKeyOf(tenant, idempotency.scope, idempotency.key);
  const body = bodyLockOf(at, call);
  const [claim] = await sql<Claim[]>`
    with mine as materialized (select pg_try_advisory_xact_lock(${keyLockOf(at)}::bigint) as held), body as materialized (
      select case when held then pg_try_advisory_xact_lock_shared(${body}::bigint) else exists (
        select from pg_locks
        where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32) | objid::bigint = ${body}::bigint
      ) end as same from mine
    ), known as materialized (
      select fingerprint, answer from runtime.idempotency
      where store = ${at.store} and environment = ${at.environment} and key = ${at.key}
        and expires_at > ${tx.clock.now(tenant)}
    )
    select held, same, fingerprint, answer from mine cross join body left join known on true`;
  const { held, same, fingerprint, answer } = claim!;
  if (fingerprint !== null && fingerprint !== idempotency.fingerprint)
    return refuse('idempotency_conflict', 'This Idempotency-Key was used with another request body.');
  if (answer !== null) return { body: tx.seal.openBytes(answer, at.context) };
  if (held) return null;
  return same ? SAME_REQUEST_RUNNING : STILL_RUNNING;
};

export type KeyState = 'new' | 'stored' | 'running';

export interface KeyLookup {
  readonly call: Call;
  readonly now: Date;
}

/** Looks up each call's key in one statement; the locks last only for that statement. */
export const keyStatesOf = async (sql: Sql, lookups: readonly KeyLookup[]): Promise<readonly KeyState[]> => {
  const places = lookups.map(({ call: { tenant, idempotency } }) =>
    answerKeyOf(tenant, idempotency!.scope, idempotency!.key),
  );
  const found = await sql<{ held: boolean; stored: boolean }[]>`
    select pg_try_advisory_xact_lock(asked.lock) as held, exists (
      select from runtime.idempotency as known
      where known.store = asked.store and known.environment = asked.environment and known.key = decode(asked.key, 'hex')
        and known.expires_at > asked.now
    ) as stored
    from unnest(${places.map(keyLockOf)}::bigint[], ${places.map(({ store }) => store)}::uuid[],
      ${places.map(({ environment }) => environment)}::text[], ${places.map(({ key }) => key.toString('hex'))}::text[],
      ${lookups.map(({ now }) => now.toISOString())}::timestamptz[]
    ) with ordinality as asked (lock, store, environment, key, now, place)
    order by place`;
  return found.map(({ held, stored }) => (stored ? 'stored' : held ? 'new' : 'running'));
};

/** Locks the keys of one tenant's calls. False if a key is stored, occurs twice or runs elsewhere. */
export const claimNewKeys = async (tx: Transaction, calls: readonly Call[]): Promise<boolean> => {
  const { sql } = tx;
  const { tenant } = calls[0]!;
  const places = calls.map(({ idempotency }) => answerKeyOf(tenant, idempotency!.scope, idempotency!.key));
  const keys = places.map(({ key }) => key.toString('hex'));
  const bodies = places.map((place, at) => bodyLockOf(place, calls[at]!));
  if (new Set(keys).size < keys.length) return false;
  const { store, environment } = places[0]!;
  const [claim] = await sql<{ isNew: boolean }[]>`
    with mine as materialized (
      select bool_and(pg_try_advisory_xact_lock(lock) and pg_try_advisory_xact_lock_shared(body)) as held
      from unnest(${places.map(keyLockOf)}::bigint[], ${bodies}::bigint[]) as asked (lock, body)
    ), known as materialized (
      select from unnest(${keys}::text[]) as asked (key), lateral (
        select from runtime.idempotency
        where store = ${store} and environment = ${environment} and key = decode(asked.key, 'hex')
          and expires_at > ${tx.clock.now(tenant)}
        limit 1
      ) as found
      limit 1
    )
    select held and not exists (select from known) as "isNew" from mine`;
  return claim!.isNew;
};

export const storeAnswers = (tx: Transaction, calls: readonly Call[], bodies: readonly Uint8Array[]): void => {
  const { tenant } = calls[0]!;
  const places = calls.map(({ idempotency }) => answerKeyOf(tenant, idempotency!.scope, idempotency!.key));
  const { store, environment } = places[0]!;
  tx.storeAnswers({
    store,
    environment,
    keys: places.map(({ key }) => key.toString('hex')),
    fingerprints: calls.map(({ idempotency }) => idempotency!.fingerprint),
    sealed: places.map(({ context }, at) => Buffer.from(tx.seal.close(bodies[at]!, context)).toString('base64')),
    now: tx.clock.now(tenant),
  });
};

export const storeAnswer = (tx: Transaction, call: Call, body: Uint8Array): void => {
  if (call.idempotency) storeAnswers(tx, [call], [body]);
};

const encoder = new TextEncoder();
const MARK = encoder.encode('"idempotent":true}');
const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);

export const markReplayed = (body: Uint8Array): Uint8Array => {
  if (body.length < 2 || body[0] !== OPEN || body[body.length - 1] !== CLOSE) return body;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (text.includes('"idempotent"')) {
    const parsed: Record<string, unknown> = JSON.parse(text.toString());
    return encoder.encode(JSON.stringify({ ...parsed, idempotent: true }));
  }
  const empty = body.length === 2;
  const marked = new Uint8Array(body.length - 1 + (empty ? 0 : 1) + MARK.length);
  marked.set(body.subarray(0, -1));
  if (!empty) marked[body.length - 1] = COMMA;
  marked.set(MARK, marked.length - MARK.length);
  return marked;
};

/** Deletes expired answers in batches by real time, since a sandbox's clock is never behind it. */
export const sweepIdempotency = ({ sql }: Postgres, realMs: number): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from runtime.idempotency where ctid in (
        select ctid from runtime.idempotency where expires_at < ${new Date(realMs)} limit ${limit}
      )`;
    return gone.count;
  });

export interface AnswerPage {
  /** Hex of the last key of the page; null: no answer follows. */
  readonly next: string | null;
}

/**
 * Rewrites stored answers of a tenant, a page at a time in the order of keys. `rewrite` returns null for an answer that stays
 * as it is. Retries still find the answer, so no effect happens twice.
 */
export const rewriteAnswers = async (
  { sql, seal }: Pick<Transaction, 'sql' | 'seal'>,
  tenant: Tenant,
  { after, limit }: { readonly after: string | null; readonly limit: number },
  rewrite: (answer: string) => string | null,
): Promise<AnswerPage> => {
  const rows = await sql<{ key: string; answer: Buffer }[]>`
    select encode(key, 'hex') as key, answer from runtime.idempotency
    where store = ${tenant.store} and environment = ${tenant.environment} and key > decode(${after ?? ''}, 'hex')
    order by key limit ${limit}`;
  const changed = rows.flatMap(({ key, answer }) => {
    const context = `idempotency/${answerNameOf(tenant, key)}`;
    const before = seal.open(answer, context);
    const text = rewrite(before);
    return text === null || text === before
      ? []
      : [{ key, answer: Buffer.from(seal.close(text, context)).toString('base64') }];
  });
  if (changed.length > 0)
    await sql`
      update runtime.idempotency as stored set answer = decode(changed.answer, 'base64')
      from unnest(${changed.map(({ key }) => key)}::text[], ${changed.map(({ answer }) => answer)}::text[])
        as changed (key, answer)
      where store = ${tenant.store} and environment = ${tenant.environment} and stored.key = decode(changed.key, 'hex')`;
  return { next: rows.length < limit ? null : rows.at(-1)!.key };
};

/** The stored answers, as a column of sealed values. Postgres writes a key in text as `\\x` and hex. */
export const STORED_ANSWERS: SealedColumn = {
  table: 'runtime.idempotency',
  column: 'answer',
  id: 'key',
  context: (tenant, key) => `idempotency/${answerNameOf(tenant, key.slice(2))}`,
};
