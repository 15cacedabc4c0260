// The command line's door: stores, operators and plans come to be and end here.
import { randomUUID } from 'node:crypto';
import type { PlanResponse, StoreAdminRpcs } from '#proto/gen/store_admin.ts';
import { type Environment, notFound, refuse } from '#runtime/call/call.ts';
import { type Handlers, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { parseCountry } from '#values/country.ts';
import { parseCurrency } from '#values/currency.ts';
import { type AdminKeyRpc, addKey } from './admin_key.ts';
import { codeBeside, codeOf } from './code.ts';
import { updateFeatures } from './feature_update.ts';
import { limitsOf, type PlanStanding, planNamed } from './plan.ts';
import type { Memories } from './principal.ts';
import type { StoreRecord } from './profile.ts';
import { newSecret, secretContext } from './secret.ts';
import { insertOperator, setMerchant } from './table/key.ts';
import { findStore, insertStore, lockEnvironment, lockStore, updateLimits, updateStanding } from './table/store.ts';

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

const standing = (store: StoreRecord): PlanResponse => ({
  store_id: store.id,
  plan: store.plan,
  trial: store.trial,
  lapsed: store.lapsed,
  limits: limitsOf(store, store.limits, 'production'),
});

export const adminHandlers = (
  { clock, seal }: Runtime,
  memories: Memories,
): Omit<Handlers<StoreAdminRpcs>, AdminKeyRpc> => {
  const now = (): Date => new Date(clock.real());

  /** Another plan, or its lapse: what the store can do may change with it, in both environments. */
  const stand = async (tx: Transaction, name: string, next: (store: StoreRecord) => PlanStanding) => {
    const before = await lockStore(tx.sql, name);
    if (before === null) return notFound('store', 'store');
    const after: StoreRecord = { ...before, ...next(before) };
    await updateStanding(tx.sql, after.id, after, now());
    for (const environment of ENVIRONMENTS) {
      await lockEnvironment(tx.sql, after.id, environment);
      await updateFeatures(tx, clock, { store: after.id, environment }, { before, after, news: null });
    }
    await memories.changes(tx, after.id);
    return standing(after);
  };

  return {
    CreateStore: transaction(async (tx, _call, input) => {
      const name = input.name.trim();
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
        secret_key: await addKey(tx, { store: id }, { type: 'secret', environment: 'production', now: now() }),
        publishable_key: await addKey(
          tx,
          { store: id },
          { type: 'publishable', environment: 'production', now: now() },
        ),
        secret_test_key: await addKey(tx, { store: id }, { type: 'secret', environment: 'sandbox', now: now() }),
        publishable_test_key: await addKey(
          tx,
          { store: id },
          { type: 'publishable', environment: 'sandbox', now: now() },
        ),
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
      return {
        operator_id: operator,
        operator_key: await addKey(tx, { operator }, { type: 'operator', environment: 'production', now: now() }),
        operator_test_key: await addKey(tx, { operator }, { type: 'operator', environment: 'sandbox', now: now() }),
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
  };
};
