// Handlers of StoreAdmin that create, rotate and revoke keys and secrets.
import type { StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import { type Environment, notFound, refuse } from '#runtime/call/call.ts';
import { type Handlers, query, sealedColumnsOf, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { countSealed } from '#runtime/postgres/reseal.ts';
import type { StoreCaches } from './cache.ts';
import { hmacRotationHandlers } from './hmac_rotation.ts';
import { type Keys, keyDocument } from './key.ts';
import { type ApiKeyType, hashKey, newKey, newSecret, secretContext } from './secret.ts';
import { saveHmacSecrets } from './table/hmac_secret.ts';
import { insertKey, revokeFullKeys, revokeKey, workingKeys } from './table/key.ts';
import { findStore, lockStore, updateExternalAuthSecret } from './table/store.ts';

export type AdminKeyRpc =
  | 'ListKeys'
  | 'CreateKey'
  | 'RollKey'
  | 'RotateKeys'
  | 'RevokeKey'
  | 'CreateExternalAuthSecret'
  | 'GetSealing'
  | 'RotateHmacSecret'
  | 'GetHmacRotation';

interface KeyInput {
  readonly type: ApiKeyType;
  readonly environment: Environment;
  readonly now: Date;
}

const NAMES: Readonly<Record<ApiKeyType, string>> = {
  publishable: 'Publishable key',
  secret: 'Secret key',
  operator: 'Operator key',
};

/** Creates a full key, which signs with the secret of its environment. */
export const createKey = async (
  tx: Transaction,
  owner: { readonly store: string } | { readonly operator: string },
  { type, environment, now }: KeyInput,
): Promise<string> => {
  const key = newKey(type, environment);
  const details = { name: NAMES[type], scopes: null, sealedHmacSecret: null };
  await insertKey(tx.sql, owner, key, details, now);
  return key.text;
};

export const adminKeyHandlers = (
  runtime: Runtime,
  caches: StoreCaches,
  keys: Keys,
): Pick<Handlers<StoreAdminRpcs>, AdminKeyRpc> => {
  const { clock, seal } = runtime;
  const now = (): Date => new Date(clock.real());

  return {
    ...hmacRotationHandlers(runtime, caches),

    GetSealing: query(async (sql) => ({
      key_id: seal.currentKeyId,
      columns: await countSealed(sql, seal, sealedColumnsOf(runtime.domains)),
    })),

    ListKeys: query(async (sql, _call, { store: name }) => {
      const store = await findStore(sql, name);
      if (store === null) return notFound('store', 'store');
      return { keys: (await workingKeys(sql, store.id, now())).map((key) => keyDocument(key, now())) };
    }),

    CreateKey: transaction(async (tx, _call, { store: name, ...input }) => {
      const store = await findStore(tx.sql, name);
      return store === null ? notFound('store', 'store') : keys.create(tx, store.id, input);
    }),

    RollKey: transaction(async (tx, _call, { store: name, key_id, overlap_hours }) => {
      const store = await findStore(tx.sql, name);
      return store === null ? notFound('store', 'store') : keys.roll(tx, store.id, key_id, overlap_hours);
    }),

    RotateKeys: transaction(async (tx, _call, { store: name, environment = 'production', kind = 'secret' }) => {
      const store = await lockStore(tx.sql, name);
      if (store === null) return notFound('store', 'store');
      let value: string;
      if (kind === 'hmac') {
        value = newSecret();
        await saveHmacSecrets(tx.sql, store.id, environment, {
          hmac_secret: seal.close(value, secretContext(kind, store.id, environment)),
          previous_hmac_secret: null,
          previous_hmac_until: null,
        });
      } else {
        await revokeFullKeys(tx.sql, store.id, environment, kind, now());
        value = await createKey(tx, { store: store.id }, { type: kind, environment, now: now() });
      }
      await caches.invalidateAfterCommit(tx, store.id);
      tx.note({ tenant: { store: store.id, environment }, after: { replaced: kind } });
      return { environment, kind, value };
    }),

    RevokeKey: transaction(async (tx, _call, { key, key_id, store: name }) => {
      if ((key === undefined) === (key_id === undefined)) {
        return refuse('invalid_request', 'Send either key or key_id, and not both.', { param: 'key' });
      }
      const named = key === undefined ? { id: key_id! } : { hash: hashKey(key) };
      const store = name === undefined ? null : await findStore(tx.sql, name);
      if (name !== undefined && store === null) return notFound('store', 'store');
      const revoked = await revokeKey(tx.sql, named, store?.id ?? null, now());
      if (revoked === null) return notFound('key', key === undefined ? 'key_id' : 'key');
      await caches.invalidateAfterCommit(tx, revoked.owner);
      const { id, owner, environment } = revoked;
      tx.note({ tenant: { store: owner, environment }, resource: 'key', id, after: { revoked: true } });
      return { key_id: revoked.id, revoked: true };
    }),

    CreateExternalAuthSecret: transaction(async (tx, _call, { store: name, environment = 'production' }) => {
      const store = await findStore(tx.sql, name);
      if (store === null) return notFound('store', 'store');
      const secret = newSecret();
      const sealed = seal.close(secret, secretContext('external_auth', store.id, environment));
      await updateExternalAuthSecret(tx.sql, store.id, environment, sealed);
      await caches.invalidateAfterCommit(tx, store.id);
      tx.note({ tenant: { store: store.id, environment }, after: { replaced: 'external_auth' } });
      return { external_auth_secret: secret };
    }),
  };
};
