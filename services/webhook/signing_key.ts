// The keys with which a store signs what it tells assistants' platforms. Each is published in the store's profile before it
// signs, and stays there after the next one has taken its place, so that no platform meets a signature that it cannot verify.
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

/** As long as profiles are kept, ours and others', and a margin. */
export const AHEAD_MS = 5 * 60_000;
/** "Grace period: minimum 7 days." */
const OVERLAP_MS = 7 * 24 * 3_600_000;
/** "Rotate keys every 90 days." */
const LIFE_MS = 90 * 24 * 3_600_000;

type Made = Pick<SigningKeyRecord, 'created_at'>;

const ageOf = ({ created_at }: Made, now: Date): number => now.getTime() - created_at.getTime();

/** Of keys, newest first, those that a platform may meet. */
export const publishedOf = <K extends Made>(keys: readonly K[], now: Date): readonly K[] =>
  keys.filter((_, at) => at === 0 || ageOf(keys[at - 1]!, now) < AHEAD_MS + OVERLAP_MS);

/** Of keys, newest first, the one that signs now; null where there is none. */
const signerOf = <K extends Made>(keys: readonly K[], now: Date): K | null =>
  keys.find((key) => ageOf(key, now) >= AHEAD_MS) ?? keys.at(-1) ?? null;

type Parts = Pick<Runtime, 'notices' | 'seal'>;

/** Makes the next key; those that nothing was signed with for a week are gone. */
export const rotateKey = async (
  tx: Transaction,
  { notices, seal }: Parts,
  tenant: Tenant,
  now: Date,
): Promise<void> => {
  const { x, y, secret } = newKeyPair();
  const print = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
  // Sandbox and production stand in one profile.
  const kid = `${tenant.environment}-${print}`;
  const sealed = seal.close(secret, keyContext(tenant.store, tenant.environment, kid));
  await insertSigningKey(tx.sql, tenant, { kid, x, y, secret: sealed, created_at: now });
  const keys = await signingKeysOf(tx.sql, tenant);
  const published = new Set(publishedOf(keys, now));
  const ended = keys.filter((key) => !published.has(key));
  if (ended.length > 0)
    await deleteSigningKeys(
      tx.sql,
      tenant,
      ended.map(({ kid }) => kid),
    );
  // Profiles show it at once.
  tx.afterCommit(() => notices.publish({ kind: 'store', tenant }));
};

/** A key that signs, and is not too old. */
export const ensureKey = async (tx: Transaction, parts: Parts, tenant: Tenant, now: Date): Promise<void> => {
  const [newest] = await signingKeysOf(tx.sql, tenant);
  if (!newest || ageOf(newest, now) >= LIFE_MS) await rotateKey(tx, parts, tenant, now);
};

export interface PlatformSigner {
  readonly kid: string;
  /** The private key as a JWK. */
  readonly secret: string;
}

export const openSigner = async (sql: Sql, seal: Seal, tenant: Tenant, now: Date): Promise<PlatformSigner> => {
  const key = signerOf(await signingKeysOf(sql, tenant), now);
  if (key === null) throw new Error('a store that tells platforms of orders has a key that signs');
  return { kid: key.kid, secret: seal.open(key.secret, keyContext(tenant.store, tenant.environment, key.kid)) };
};
