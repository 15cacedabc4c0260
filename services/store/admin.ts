// Handlers of StoreAdmin, for the command line: create stores and operators, and change plans and limits.
import { randomBytes, randomUUID } from 'node:crypto';
import type { PlanResponse, StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import { type Environment, notFound, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { unknownCountry, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { parseCountry } from '#values/country.ts';
import { parseCurrency } from '#values/currency.ts';
import { slugOf } from '#values/slug.ts';
import { type AdminKeyRpc, createKey } from './admin_key.ts';
import type { StoreCaches } from './cache.ts';
import { updateFeatures } from './feature_update.ts';
import { limitsOf, planNamed, type SubscriptionState } from './plan.ts';
import type { StoreRecord } from './profile.ts';
import { newSecret, secretContext } from './secret.ts';
import { insertOperator, setMerchant } from './table/operator.ts';
import { findStore, insertStore, lockEnvironment, lockStore, updateLimits, updateSubscription } from './table/store.ts';

/** Shorter than a UUID, so that no code can be mistaken for an id. */
const LENGTH_MAX = 32;
const SUFFIX_BYTES = 4;

export const codeOf = (name: string): string => slugOf(name, LENGTH_MAX) || 'store';

export const codeWithSuffix = (code: string): string => `${code}-${randomBytes(SUFFIX_BYTES).toString('hex')}`;

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

const planResponse = (store: StoreRecord): PlanResponse => ({
  store_id: store.id,
  plan: store.plan,
  trial: store.trial,
  lapsed: store.lapsed,
  limits: limitsOf(store, store.limits, 'production'),
});

const newStoreKeys = async (tx: Transaction, store: string, now: Date) => {
  const create = (type: 'secret' | 'publishable', environment: Environment): Promise<string> =>
    createKey(tx, { store }, { type, environment, now });
  return {
    secret_key: await create('secret', 'production'),
    publishable_key: await create('publishable', 'production'),
    secret_test_key: await create('secret', 'sandbox'),
    publishable_test_key: await create('publishable', 'sandbox'),
  };
};

const inProduction = (store: string): Tenant => ({ store, environment: 'production' });

const notePlan = (tx: Transaction, before: StoreRecord, after: StoreRecord): void =>
  tx.note({ tenant: inProduction(after.id), before: planResponse(before), after: planResponse(after) });

export const adminHandlers = (
  { clock, seal }: Runtime,
  caches: StoreCaches,
): Omit<Handlers<StoreAdminRpcs>, AdminKeyRpc> => {
  const now = (): Date => new Date(clock.real());

  const changeSubscription = async (tx: Transaction, name: string, next: (store: StoreRecord) => SubscriptionState) => {
    const before = await lockStore(tx.sql, name);
    if (before === null) return notFound('store', 'store');
    const after: StoreRecord = { ...before, ...next(before) };
    await updateSubscription(tx.sql, after.id, after, now());
    for (const environment of ENVIRONMENTS) {
      await lockEnvironment(tx.sql, after.id, environment);
      await updateFeatures(tx, clock, { store: after.id, environment }, { before, after, dataChange: null });
    }
    await caches.invalidateAfterCommit(tx, after.id);
    notePlan(tx, before, after);
    return planResponse(after);
  };

  return {
    CreateStore: transaction(async (tx, _call, input) => {
      const name = input.name.trim();
      const currency = parseCurrency(input.currency);
      if (currency === null) return unknownCurrency(input.currency);
      const country = input.country ? parseCountry(input.country) : null;
      if (input.country && country === null) {
        return unknownCountry(input.country);
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
        sealedHmacSecrets: {
          production: seal.close(secrets.production, secretContext('hmac', id, 'production')),
          sandbox: seal.close(secrets.sandbox, secretContext('hmac', id, 'sandbox')),
        },
      };
      let code = codeOf(name);
      while (!(await insertStore(tx.sql, { ...store, code }))) code = codeWithSuffix(codeOf(name));
      const { sealedHmacSecrets: _, createdAt: __, ...made } = store;
      tx.note({ tenant: inProduction(id), after: { ...made, code } });
      return {
        store_id: id,
        code,
        ...(await newStoreKeys(tx, id, now())),
        hmac_secret: secrets.production,
        hmac_test_secret: secrets.sandbox,
      };
    }),

    CreateOperator: transaction(async (tx, _call, input) => {
      const name = input.name.trim();
      const stores: string[] = [];
      for (const [index, named] of input.stores.entries()) {
        const store = await findStore(tx.sql, named);
        if (store === null) return notFound('store', `stores[${index}]`);
        stores.push(store.id);
      }
      const operator = randomUUID();
      await insertOperator(tx.sql, { id: operator, name, stores }, now());
      tx.note({ tenant: inProduction(operator), resource: 'operator', id: operator, after: { name, stores } });
      return {
        operator_id: operator,
        operator_key: await createKey(tx, { operator }, { type: 'operator', environment: 'production', now: now() }),
        operator_test_key: await createKey(tx, { operator }, { type: 'operator', environment: 'sandbox', now: now() }),
      };
    }),

    SetMerchant: transaction(async (tx, _call, { operator, store: named, member }) => {
      const store = await findStore(tx.sql, named);
      if (store === null) return notFound('store', 'store');
      const id = operator.toLowerCase();
      const stores = await setMerchant(tx.sql, id, store.id, member);
      if (stores === null) return notFound('operator', 'operator');
      await caches.invalidateAfterCommit(tx, id);
      tx.note({ tenant: inProduction(store.id), resource: 'operator', id, after: { sells_for_store: member } });
      return { operator_id: id, stores };
    }),

    SetPlan: transaction((tx, _call, { store, plan, trial }) =>
      changeSubscription(tx, store, () => ({ ...planNamed(plan, trial), lapsed: false })),
    ),

    SetLapsed: transaction((tx, _call, { store: name, lapsed = true }) =>
      changeSubscription(tx, name, ({ plan, trial }) => ({ plan, trial, lapsed })),
    ),

    SetLimits: transaction(async (tx, _call, { store: name, ...limits }) => {
      const before = await lockStore(tx.sql, name);
      if (before === null) return notFound('store', 'store');
      for (const [window, limit] of Object.entries(limits)) {
        if (limit !== null && !(Number.isSafeInteger(limit) && limit >= 0)) {
          return refuse(
            'invalid_request',
            `${limit} is no limit. Use a whole number of requests, or 0 to meter nothing.`,
            { param: window },
          );
        }
      }
      const after: StoreRecord = { ...before, limits: { ...before.limits, ...limits } };
      await updateLimits(tx.sql, after.id, after.limits, now());
      await caches.invalidateAfterCommit(tx, after.id);
      notePlan(tx, before, after);
      return planResponse(after);
    }),
  };
};
