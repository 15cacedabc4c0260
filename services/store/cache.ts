// Caches keys, stores and identity settings in memory; a store's change notice drops the store's entries.
import type { GetIdentityResponse, Principal } from '#proto/gen/store_directory.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Loaded, LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { languagesOf } from './language.ts';
import { limitsOf, UNMETERED } from './plan.ts';
import type { StoreRecord } from './profile.ts';
import { keySecretContext, openPreviousSecret, secretContext } from './secret.ts';
import type { HmacSecrets } from './table/hmac_secret.ts';
import { findKey, type KeyRecord } from './table/key.ts';
import { findOperator, type OperatorRecord } from './table/operator.ts';
import { findSecrets, findStore, markChanged, recentlyChanged } from './table/store.ts';

const KEYS_MAX = 50_000;
const STORES_MAX = 20_000;
/** Milliseconds that a merchant's request waits for other hosts to drop their entries. */
const FOLLOW_MS = 1_000;
/** Age in ms beyond which an entry is reloaded in the background, since a change notice may be lost. */
const TTL_MS = 30_000;
const NONE: Loaded<null> = { value: null, ttlMs: 0 };

const ownedBy = <V>(owner: string, value: V): Loaded<V> => ({ value, ttlMs: TTL_MS, owners: [owner] });

export interface ResolvedKey {
  readonly principal: Principal;
  readonly scopes: readonly string[] | null;
  /** Real time in ms from which the key opens nothing; null for a key without end. */
  readonly endsAtMs: number | null;
  readonly name: string;
}

export interface StoreCaches {
  readonly keys: LookupCache<string, ResolvedKey | null>;
  /** Principals by tenant, with the rights of a store's secret key or of an operator's key. */
  readonly actors: LookupCache<TenantKey, Principal | null>;
  readonly stores: LookupCache<string, StoreRecord | null>;
  readonly identities: LookupCache<TenantKey, GetIdentityResponse | null>;
  /** Drops the entries of a store or an operator on every host, after the commit. */
  readonly invalidateAfterCommit: (tx: Transaction, owner: string) => Promise<void>;
  readonly forget: (owner: string) => void;
  /** Finds changes while notices do not arrive. Returns a function that stops this. */
  readonly poll: () => () => void;
}

const tenantOf = (key: TenantKey): Tenant => {
  const [store = '', environment] = key.split('/');
  return { store, environment: environment === 'sandbox' ? 'sandbox' : 'production' };
};

type Keyed = Pick<KeyRecord, 'id' | 'type' | 'environment'>;

type Signing = Pick<Principal, 'hmac_secret' | 'previous_hmac_secret'>;

const storePrincipal = (store: StoreRecord, { id, type, environment }: Keyed, signing: Signing): Principal => ({
  key_id: id,
  key_type: type,
  store_id: store.id,
  environment,
  plan: store.plan,
  trial: store.trial,
  limits: limitsOf(store, store.limits, environment),
  ...signing,
  currency: store.currency,
  operator_stores: [],
  wholesale: store.wholesale_enabled,
  languages: languagesOf(store),
});

const operatorPrincipal = (
  { id: operator, stores }: Pick<OperatorRecord, 'id' | 'stores'>,
  { id, environment }: Omit<Keyed, 'type'>,
): Principal => ({
  key_id: id,
  key_type: 'operator',
  store_id: operator,
  environment,
  plan: 'enterprise',
  trial: false,
  limits: UNMETERED,
  hmac_secret: null,
  previous_hmac_secret: null,
  currency: null,
  operator_stores: [...stores],
  wholesale: false,
  languages: [],
});

const findActingOperator = async (sql: Sql, { store: id, environment }: Tenant): Promise<Loaded<Principal | null>> => {
  const operator = await findOperator(sql, id);
  return operator === null ? NONE : ownedBy(id, operatorPrincipal(operator, { id: '', environment }));
};

export const openStoreCaches = ({ postgres, clock, seal, notices, ask, log }: Runtime): StoreCaches => {
  const options = { now: () => clock.real(), entriesMax: STORES_MAX, servesStale: true };
  const stores = new LookupCache<string, StoreRecord | null>({
    ...options,
    load: async (name) => {
      const store = await findStore(postgres.sql, name);
      return store ? ownedBy(store.id, store) : NONE;
    },
  });

  const signingOfTenant = (tenant: Tenant, secrets: HmacSecrets) => ({
    hmac_secret: seal.open(secrets.hmac_secret, secretContext('hmac', tenant.store, tenant.environment)),
    previous_hmac_secret: openPreviousSecret(seal, tenant, secrets, clock.real()),
  });

  const signingOfKey = (key: KeyRecord, store: string): Signing => {
    const { id, environment, hmac_secret, environment_hmac_secret } = key;
    return hmac_secret === null
      ? signingOfTenant({ store, environment }, { ...key, hmac_secret: environment_hmac_secret! })
      : { hmac_secret: seal.open(hmac_secret, keySecretContext(store, environment, id)), previous_hmac_secret: null };
  };

  const keys = new LookupCache<string, ResolvedKey | null>({
    ...options,
    entriesMax: KEYS_MAX,
    load: async (keyHash) => {
      const key = await findKey(postgres.sql, Buffer.from(keyHash, 'hex'), new Date(clock.real()));
      if (key === null) return NONE;
      const { scopes, name } = key;
      const endsAtMs = key.revoked_at?.getTime() ?? null;
      if (key.type === 'operator') {
        const principal = operatorPrincipal({ id: key.operator!, stores: key.operator_stores }, key);
        return ownedBy(key.operator!, { principal, scopes, endsAtMs, name });
      }
      const store = await findStore(postgres.sql, key.store!);
      if (store === null) return NONE;
      const principal = storePrincipal(store, key, signingOfKey(key, store.id));
      return ownedBy(store.id, { principal, scopes, endsAtMs, name });
    },
  });

  const actors = new LookupCache<TenantKey, Principal | null>({
    ...options,
    load: async (name) => {
      const tenant = tenantOf(name);
      const [store, secrets] = await Promise.all([
        findStore(postgres.sql, tenant.store),
        findSecrets(postgres.sql, tenant),
      ]);
      if (store === null || secrets === null) return findActingOperator(postgres.sql, tenant);
      const key = { id: '', type: 'secret', environment: tenant.environment } as const;
      return ownedBy(store.id, storePrincipal(store, key, signingOfTenant(tenant, secrets)));
    },
  });

  const identities = new LookupCache<TenantKey, GetIdentityResponse | null>({
    ...options,
    load: async (name) => {
      const tenant = tenantOf(name);
      const store = await findStore(postgres.sql, tenant.store);
      const secrets = await findSecrets(postgres.sql, tenant);
      if (store === null || secrets === null) return NONE;
      const { external_auth_secret: sealed } = secrets;
      const value: GetIdentityResponse = {
        name: store.name,
        contact_email: store.contact_email,
        website_url: store.website_url,
        allowed_redirect_origins: store.environments[tenant.environment].allowed_redirect_origins,
        idp: store.environments[tenant.environment].idp,
        external_auth_secret:
          sealed && seal.open(sealed, secretContext('external_auth', tenant.store, tenant.environment)),
        ...signingOfTenant(tenant, secrets),
      };
      return ownedBy(store.id, value);
    },
  });

  const forget = (owner: string): void => {
    keys.forgetOwner(owner);
    actors.forgetOwner(owner);
    stores.forgetOwner(owner);
    identities.forgetOwner(owner);
  };

  const followInCatalogue = async (tenant: Tenant): Promise<void> => {
    const options = { deadline: clock.real() + FOLLOW_MS };
    const followed = await ask('CatalogDirectory/RefreshStore', tenant, {}, options).catch(
      (problem: unknown) => problem,
    );
    if (followed instanceof Refusal || followed instanceof Error)
      log.debug({ err: followed, tenant: tenantKey(tenant) }, 'failed to invalidate cached store responses in time');
  };

  const changes = async (tx: Transaction, owner: string): Promise<void> => {
    await markChanged(tx.sql, owner);
    tx.afterCommit(async () => {
      forget(owner);
      const tenants = (['production', 'sandbox'] as const).map(
        (environment): Tenant => ({ store: owner, environment }),
      );
      const notified = tenants.map((tenant) => notices.publishAcknowledged({ kind: 'store', tenant }, FOLLOW_MS));
      // Cached responses and public feeds show data of the store, so all hosts drop theirs before the merchant is
      // answered; before the catalogue too, which reads the store anew.
      await Promise.all(notified);
      await Promise.all(tenants.map(followInCatalogue));
    });
  };

  const poll = (): (() => void) =>
    notices.pollWhileDisconnected(async () => {
      for (const owner of await recentlyChanged(postgres.sql)) forget(owner);
    });

  return { keys, actors, stores, identities, invalidateAfterCommit: changes, forget, poll };
};
