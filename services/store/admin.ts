// The command line's door: stores, operators, keys and plans come to be and end here.
import { randomUUID } from 'node:crypto';
import type { PlanResponse, StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import { type Environment, notFound, refuse } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Handlers, transaction } from '#runtime/door/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { parseCountry } from '#values/country.ts';
import { parseCurrency } from '#values/currency.ts';
import { codeBeside, codeOf } from './code.ts';
import { crossFeatures } from './crossing.ts';
import { limitsOf, type PlanStanding, planNamed } from './plan.ts';
import type { Memories } from './principal.ts';
import type { StoreRecord } from './profile.ts';
import { type ApiKeyType, hashKey, newKey, newSecret, secretContext } from './secret.ts';
import { insertKey, insertOperator, revokeKey, revokeKeys, setMerchant } from './table/key.ts';
import {
  findStore,
  insertStore,
  lockEnvironment,
  lockStore,
  updateLimits,
  updateSecret,
  updateStanding,
} from './table/store.ts';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

const standing = (store: StoreRecord): PlanResponse => ({
  store_id: store.id,
  plan: store.plan,
  trial: store.trial,
  lapsed: store.lapsed,
  limits: limitsOf(store, store.limits, 'production'),
});

export const adminHandlers = ({ clock, seal }: Foundation, memories: Memories): Handlers<StoreAdminRpcs> => {
  const now = (): Date => new Date(clock.real());

  const addKey = async (
    tx: Transaction,
    owner: { readonly store: string } | { readonly operator: string },
    type: ApiKeyType,
    environment: Environment,
  ): Promise<string> => {
    const key = newKey(type, environment);
    await insertKey(tx.sql, owner, key, now());
    return key.text;
  };

  /** Another plan, or its lapse: what the store can do may change with it, in both environments. */
  const stand = async (tx: Transaction, name: string, next: (store: StoreRecord) => PlanStanding) => {
    const before = await lockStore(tx.sql, name);
    if (before === null) return notFound('store', 'store');
    const after: StoreRecord = { ...before, ...next(before) };
    await updateStanding(tx.sql, after.id, after, now());
    for (const environment of ENVIRONMENTS) {
      await lockEnvironment(tx.sql, after.id, environment);
      await crossFeatures(tx, clock, { store: after.id, environment }, { before, after, news: null });
    }
    await memories.changes(tx, after.id);
    return standing(after);
  };

  return {
    CreateStore: transaction(async (tx, _call, input) => {
      const name = input.name.trim();
      if (name === '') return refuse('invalid_request', 'A store needs a name.', { param: 'name' });
      const currency = parseCurrency(input.currency);
      if (currency === null) return refuse('invalid_request', 'No such currency in ISO 4217.', { param: 'currency' });
      const country = input.country ? parseCountry(input.country) : null;
      if (input.country && country === null) {
        return refuse('invalid_request', 'No such country in ISO 3166-1.', { param: 'country' });
      }
      const id = randomUUID();
      const secrets: Readonly<Record<Environment, string>> = { production: newSecret(), sandbox: newSecret() };
      const store = {
        id,
        name,
        currency: currency.code,
        country,
        ...planNamed(input.plan ?? 'starter'),
        wholesale: input.wholesale ?? false,
        createdAt: now(),
        hmacSecrets: {
          production: seal.close(secrets.production, secretContext('hmac', id, 'production')),
          sandbox: seal.close(secrets.sandbox, secretContext('hmac', id, 'sandbox')),
        },
      };
      let code = codeOf(name);
      while (!(await insertStore(tx.sql, { ...store, code }))) code = codeBeside(codeOf(name));
      return {
        store_id: id,
        code,
        secret_key: await addKey(tx, { store: id }, 'secret', 'production'),
        publishable_key: await addKey(tx, { store: id }, 'publishable', 'production'),
        secret_test_key: await addKey(tx, { store: id }, 'secret', 'sandbox'),
        publishable_test_key: await addKey(tx, { store: id }, 'publishable', 'sandbox'),
        hmac_secret: secrets.production,
        hmac_test_secret: secrets.sandbox,
      };
    }),

    CreateOperator: transaction(async (tx, _call, input) => {
      const name = input.name.trim();
      if (name === '') return refuse('invalid_request', 'An operator needs a name.', { param: 'name' });
      const stores: string[] = [];
      for (const [index, named] of input.stores.entries()) {
        const store = await findStore(tx.sql, named);
        if (store === null) return notFound('store', `stores[${index}]`);
        stores.push(store.id);
      }
      const operator = randomUUID();
      await insertOperator(tx.sql, { id: operator, name, stores }, now());
      return {
        operator_id: operator,
        operator_key: await addKey(tx, { operator }, 'operator', 'production'),
        operator_test_key: await addKey(tx, { operator }, 'operator', 'sandbox'),
      };
    }),

    SetMerchant: transaction(async (tx, _call, { operator, store: named, member }) => {
      const store = await findStore(tx.sql, named);
      if (store === null) return notFound('store', 'store');
      const id = operator.toLowerCase();
      const stores = await setMerchant(tx.sql, id, store.id, member);
      if (stores === null) return notFound('operator', 'operator');
      await memories.changes(tx, id);
      return { operator_id: id, stores };
    }),

    RotateKeys: transaction(async (tx, _call, { store: name, environment = 'production', kind = 'secret' }) => {
      const store = await lockStore(tx.sql, name);
      if (store === null) return notFound('store', 'store');
      let value: string;
      if (kind === 'hmac') {
        value = newSecret();
        await updateSecret(
          tx.sql,
          store.id,
          environment,
          kind,
          seal.close(value, secretContext(kind, store.id, environment)),
        );
      } else {
        await revokeKeys(tx.sql, store.id, environment, kind, now());
        value = await addKey(tx, { store: store.id }, kind, environment);
      }
      await memories.changes(tx, store.id);
      return { environment, kind, value };
    }),

    RevokeKey: transaction(async (tx, _call, { key, key_id }) => {
      if ((key === undefined) === (key_id === undefined)) {
        return refuse('invalid_request', 'Name the key by its text or by its id.', { param: 'key' });
      }
      const named = key === undefined ? { id: key_id! } : { hash: hashKey(key) };
      const revoked = await revokeKey(tx.sql, named, now());
      if (revoked === null) return notFound('key', key === undefined ? 'key_id' : 'key');
      await memories.changes(tx, revoked.owner);
      return { key_id: revoked.id, revoked: true };
    }),

    SetPlan: transaction((tx, _call, { store, plan, trial }) =>
      stand(tx, store, () => ({ ...planNamed(plan, trial), lapsed: false })),
    ),

    LapseStore: transaction((tx, _call, { store: name, lapsed = true }) =>
      stand(tx, name, ({ plan, trial }) => ({ plan, trial, lapsed })),
    ),

    SetLimits: transaction(async (tx, _call, { store: name, ...limits }) => {
      const before = await lockStore(tx.sql, name);
      if (before === null) return notFound('store', 'store');
      for (const [window, limit] of Object.entries(limits)) {
        if (limit !== null && !(Number.isSafeInteger(limit) && limit >= 0)) {
          return refuse('invalid_request', 'A limit is a whole number of requests, 0 for none.', { param: window });
        }
      }
      const after: StoreRecord = { ...before, limits: { ...before.limits, ...limits } };
      await updateLimits(tx.sql, after.id, after.limits, now());
      await memories.changes(tx, after.id);
      return standing(after);
    }),

    CreateExternalAuthSecret: transaction(async (tx, _call, { store: name, environment = 'production' }) => {
      const store = await findStore(tx.sql, name);
      if (store === null) return notFound('store', 'store');
      const secret = newSecret();
      const sealed = seal.close(secret, secretContext('external_auth', store.id, environment));
      await updateSecret(tx.sql, store.id, environment, 'external_auth', sealed);
      await memories.changes(tx, store.id);
      return { external_auth_secret: secret };
    }),
  };
};
