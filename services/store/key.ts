// Rules for a store's keys: which can be created, restricted, rolled and revoked. Each change locks the store, so that of
// two simultaneous ones the second sees the first.
import type { ApiKey, CreateKeyRequest, KeyResponse, UpdateKeyRequest } from '#proto/gen/key.ts';
import { type Environment, invalid, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { checkScopes } from '#services/commerce/scope.ts';
import type { StoreCaches } from './cache.ts';
import { keyPrefix, keySecretContext, newKey, newSecret } from './secret.ts';
import { endKey, findStoreKey, insertKey, type StoreKey, updateKey, workingKeys } from './table/key.ts';
import { lockStore } from './table/store.ts';

const WORKING_KEYS_MAX = 100;
const HOUR_MS = 3_600_000;

export interface Keys {
  create(tx: Transaction, store: string, input: CreateKeyRequest): Promise<KeyResponse | Refusal>;
  update(tx: Transaction, store: string, input: UpdateKeyRequest): Promise<KeyResponse | Refusal>;
  /** Replaces a key. The former one works for `overlapHours` more. */
  roll(tx: Transaction, store: string, id: string, overlapHours: number): Promise<KeyResponse | Refusal>;
  revoke(tx: Transaction, store: string, id: string): Promise<string | Refusal>;
}

export const keyDocument = (
  { id, name, type, environment, scopes, last_four, created_at, revoked_at, used_at, address }: StoreKey,
  now: Date,
): ApiKey => ({
  id,
  name,
  type,
  environment,
  scopes: scopes && [...scopes],
  prefix: keyPrefix(type, environment),
  last_four,
  created_at: created_at.toISOString(),
  last_used_at: used_at?.toISOString() ?? null,
  last_used_address: address,
  expires_at: revoked_at?.toISOString() ?? null,
  revoked: revoked_at !== null && revoked_at <= now,
});

const noteChange = (
  tx: Transaction,
  store: string,
  id: string,
  { before = null, after = null }: { readonly before?: ApiKey | null; readonly after?: object | null },
): void => tx.note({ tenant: { store, environment: 'production' }, resource: 'key', id, before, after });

const NO_KEY = notFound('key');
const NO_STORE = notFound('store');
const LAST_FULL_KEY = refuse('conflict', 'This is the store’s last full live secret key. Create or roll one first.');
const TOO_MANY_KEYS = refuse('conflict', `The store has ${WORKING_KEYS_MAX} keys that work. Revoke one first.`);

const readScopes = (
  type: StoreKey['type'],
  scopes: readonly string[] | null | undefined,
): readonly string[] | null | Refusal => {
  if (!scopes) return null;
  if (type === 'publishable')
    return invalid('scopes', 'A publishable key has no scopes. Leave them out, or create a secret key.');
  return checkScopes(scopes) ?? [...new Set(scopes)];
};

/** A key that is there to stay and opens all of the live store, its keys included. */
const isFullLive = ({ type, environment, scopes, revoked_at }: StoreKey): boolean =>
  type === 'secret' && environment === 'production' && scopes === null && revoked_at === null;

interface KeyToInsert {
  readonly name: string;
  readonly type: StoreKey['type'];
  readonly environment: Environment;
  readonly scopes: readonly string[] | null;
}

export const openKeys = ({ clock, seal }: Pick<Runtime, 'clock' | 'seal'>, caches: StoreCaches): Keys => {
  const insert = async (
    tx: Transaction,
    store: string,
    { name, type, environment, scopes }: KeyToInsert,
    now: Date,
  ): Promise<KeyResponse> => {
    const key = newKey(type, environment);
    const hmacSecret = type === 'secret' ? newSecret() : null;
    const sealedHmacSecret =
      hmacSecret === null ? null : seal.close(hmacSecret, keySecretContext(store, environment, key.id));
    await insertKey(tx.sql, { store }, key, { name, scopes, sealedHmacSecret }, now);
    const record: StoreKey = {
      id: key.id,
      name,
      type,
      environment,
      scopes,
      last_four: key.lastFour,
      created_at: now,
      revoked_at: null,
      used_at: null,
      address: null,
    };
    const texts = { secret: key.text, ...(hmacSecret !== null && { hmac_secret: hmacSecret }) };
    const document = keyDocument(record, now);
    noteChange(tx, store, key.id, { after: document });
    return { key: { ...document, ...texts } };
  };

  const isLastFullKey = async (tx: Transaction, store: string, key: StoreKey, now: Date): Promise<boolean> =>
    isFullLive(key) &&
    !(await workingKeys(tx.sql, store, now)).some((other) => other.id !== key.id && isFullLive(other));

  return {
    async create(tx, store, { name, type, environment, scopes: given }) {
      const scopes = readScopes(type, given);
      if (scopes instanceof Refusal) return scopes;
      if ((await lockStore(tx.sql, store)) === null) return NO_STORE;
      const now = new Date(clock.real());
      if ((await workingKeys(tx.sql, store, now)).length >= WORKING_KEYS_MAX) return TOO_MANY_KEYS;
      return insert(tx, store, { name: name.trim(), type, environment, scopes }, now);
    },

    async update(tx, store, { id, name, scopes: given }) {
      if ((await lockStore(tx.sql, store)) === null) return NO_STORE;
      const now = new Date(clock.real());
      const key = await findStoreKey(tx.sql, store, id, now);
      if (key === null) return NO_KEY;
      const scopes = given === undefined ? key.scopes : readScopes(key.type, given);
      if (scopes instanceof Refusal) return scopes;
      if (scopes !== null && (await isLastFullKey(tx, store, key, now))) return LAST_FULL_KEY;
      const after: StoreKey = { ...key, name: name?.trim() ?? key.name, scopes };
      await updateKey(tx.sql, store, after);
      await caches.invalidateAfterCommit(tx, store);
      const document = keyDocument(after, now);
      noteChange(tx, store, key.id, { before: keyDocument(key, now), after: document });
      return { key: document };
    },

    async roll(tx, store, id, overlapHours) {
      if ((await lockStore(tx.sql, store)) === null) return NO_STORE;
      const now = new Date(clock.real());
      const key = await findStoreKey(tx.sql, store, id, now);
      if (key === null) return NO_KEY;
      if (key.revoked_at !== null)
        return refuse('conflict', 'The key was rolled before. Roll the key that replaced it.', {
          details: `This one works until ${key.revoked_at.toISOString()}.`,
        });
      if (overlapHours > 0 && (await workingKeys(tx.sql, store, now)).length >= WORKING_KEYS_MAX) return TOO_MANY_KEYS;
      const ended: StoreKey = { ...key, revoked_at: new Date(now.getTime() + overlapHours * HOUR_MS) };
      await endKey(tx.sql, store, ended.id, ended.revoked_at!);
      await caches.invalidateAfterCommit(tx, store);
      const replaced = await insert(tx, store, key, now);
      const after = { ...keyDocument(ended, now), replaced_by: replaced.key.id };
      noteChange(tx, store, key.id, { before: keyDocument(key, now), after });
      return replaced;
    },

    async revoke(tx, store, id) {
      if ((await lockStore(tx.sql, store)) === null) return NO_STORE;
      const now = new Date(clock.real());
      const key = await findStoreKey(tx.sql, store, id, now);
      if (key === null) return NO_KEY;
      if (await isLastFullKey(tx, store, key, now)) return LAST_FULL_KEY;
      await endKey(tx.sql, store, key.id, now);
      await caches.invalidateAfterCommit(tx, store);
      noteChange(tx, store, key.id, { before: keyDocument(key, now) });
      return key.id;
    },
  };
};
