// Rotates the keys that sign a store's messages to assistants' platforms. The store's profile lists a key from before
// its first signature until after its last, so that platforms can verify every message.
import { createHash } from 'node:crypto';
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { newKeyPair } from '#runtime/outbound/message_signature.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Seal } from '#runtime/process/seal.ts';
import {
  deleteSigningKeys,
  insertSigningKey,
  keyContext,
  type SigningKeyRecord,
  signingKeysOf,
} from './table/signing_key.ts';

/**
 * Milliseconds for which profiles are cached, plus a margin: a new key does not sign before. A replaced key stays
 * published longer.
 */
const PUBLISHED_BEFORE_MS = 5 * 60_000;
const PUBLISHED_AFTER_MS = 7 * 24 * 3_600_000;
const SIGNING_MS = 90 * 24 * 3_600_000;

type DatedKey = Pick<SigningKeyRecord, 'created_at'>;

const ageOf = ({ created_at }: DatedKey, now: Date): number => now.getTime() - created_at.getTime();

/** Returns the keys that the profile lists. `keys` must be sorted newest first. */
export const publishedKeys = <K extends DatedKey>(keys: readonly K[], now: Date): readonly K[] =>
  keys.filter((_, at) => at === 0 || ageOf(keys[at - 1]!, now) < PUBLISHED_BEFORE_MS + PUBLISHED_AFTER_MS);

/** Returns the key that signs; null if there is none. `keys` must be sorted newest first. */
const signingKey = <K extends DatedKey>(keys: readonly K[], now: Date): K | null =>
  keys.find((key) => ageOf(key, now) >= PUBLISHED_BEFORE_MS) ?? keys.at(-1) ?? null;

type KeyRuntime = Pick<Runtime, 'notices' | 'seal'>;

export const rotateKey = async (
  tx: Transaction,
  { notices, seal }: KeyRuntime,
  tenant: Tenant,
  now: Date,
): Promise<void> => {
  const { x, y, secret } = newKeyPair();
  const print = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
  // The id names the environment, because one profile lists the keys of both.
  const kid = `${tenant.environment}-${print}`;
  const sealed = seal.close(secret, keyContext(tenant.store, tenant.environment, kid));
  await insertSigningKey(tx.sql, tenant, { kid, x, y, secret: sealed, created_at: now });
  const keys = await signingKeysOf(tx.sql, tenant);
  const published = new Set(publishedKeys(keys, now));
  const ended = keys.filter((key) => !published.has(key));
  if (ended.length > 0)
    await deleteSigningKeys(
      tx.sql,
      tenant,
      ended.map(({ kid }) => kid),
    );
  // Edges drop the cached profile.
  tx.afterCommit(() => notices.publish({ kind: 'store', tenant }));
};

export const ensureKey = async (tx: Transaction, runtime: KeyRuntime, tenant: Tenant, now: Date): Promise<void> => {
  const [newest] = await signingKeysOf(tx.sql, tenant);
  if (!newest || ageOf(newest, now) >= SIGNING_MS) await rotateKey(tx, runtime, tenant, now);
};

export interface PlatformSigner {
  readonly kid: string;
  readonly secret: string;
}

export const openSigner = async (sql: Sql, seal: Seal, tenant: Tenant, now: Date): Promise<PlatformSigner> => {
  const key = signingKey(await signingKeysOf(sql, tenant), now);
  if (key === null) throw new Error('the store has no signing key');
  return { kid: key.kid, secret: seal.open(key.secret, keyContext(tenant.store, tenant.environment, key.kid)) };
};
