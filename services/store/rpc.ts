// Handlers of Store: merchants read and change their profile, policies, features and usage.
import type { GetStoreRequest, GetUsageRequest, StoreRpcs } from '#proto/gen/store.ts';
import { type Environment, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, read, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { currencyOf } from '#values/currency.ts';
import type { StoreCaches } from './cache.ts';
import { featureStates } from './feature.ts';
import { listFeatures, updateFeatures } from './feature_update.ts';
import { refuseRepeatedLanguage } from './language.ts';
import { limitsOf } from './plan.ts';
import { policyHandlers } from './policy_rpc.ts';
import { applyChange, currencyObstacle, profileFor, readChange, type StoreRecord, updatedFields } from './profile.ts';
import {
  lockEnvironment,
  lockStore,
  updateDomains,
  updateEnvironmentSettings,
  updateSharedSettings,
} from './table/store.ts';

/** Returns the UTC month in which requests are counted, such as `2026-11`. */
export const monthName = (realMs: number): string => new Date(realMs).toISOString().slice(0, 7);

export interface StoreOptions {
  /** Whether sandbox settings may contain http and loopback addresses. */
  readonly allowLocal: boolean;
}

const claimDomains = async (
  sql: Sql,
  publicHost: string,
  store: string,
  domains: readonly string[] | undefined,
): Promise<Refusal | null> => {
  if (domains === undefined) return null;
  const taken = domains.includes(publicHost) ? publicHost : await updateDomains(sql, store, domains);
  return taken === null
    ? null
    : refuse('conflict', `Another store uses the domain ${taken}. Remove it there first.`, {
        param: `domains[${domains.indexOf(taken)}]`,
        details: taken,
      });
};

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox'];

export const storeHandlers = (runtime: Runtime, caches: StoreCaches, options: StoreOptions): Handlers<StoreRpcs> => {
  const { clock, ask, settings } = runtime;
  const publicHost = (): string => new URL(settings.publicUrl).hostname;

  /**
   * Refuses a currency with another number of decimals: stored prices are integers of minor units, so their value would
   * change.
   */
  const refuseCurrency = async (store: StoreRecord, code: string): Promise<Refusal | null> => {
    if (currencyOf(code).exponent === currencyOf(store.currency).exponent) return null;
    for (const environment of ENVIRONMENTS) {
      const tenant: Tenant = { store: store.id, environment };
      const found = await ask('CatalogDirectory/HasProducts', tenant, {});
      if (found instanceof Refusal) return found;
      if ('any' in found && found.any) {
        return refuse(
          'conflict',
          `The store has prices in ${store.currency}. Choose a currency with the same number of decimals as ${store.currency}; ${code} has another.`,
          {
            param: 'currency',
            details: `${environment} has products priced in ${store.currency}`,
          },
        );
      }
    }
    return null;
  };

  return {
    GetStore: read(async (call, _input: GetStoreRequest) => {
      const store = await caches.stores.get(call.tenant.store);
      return store === null ? notFound('store') : { store: profileFor(store, call.tenant.environment, call.keyType) };
    }),

    UpdateStore: transaction(async (tx, call, { version, ...input }) => {
      const { environment } = call.tenant;
      const { allowed_redirect_origins, idp, ...sharedInput } = input;
      if (environment === 'sandbox' && Object.keys(sharedInput).length > 0) {
        return refuse('forbidden', 'A test key cannot change settings that both environments share.', {
          hint: 'Use a live secret key; a test key may change only idp and allowed_redirect_origins.',
        });
      }
      const change = readChange(input, environment, options.allowLocal);
      if (change instanceof Refusal) return change;
      const [shared, own] = [Object.keys(change.shared).length > 0, Object.keys(change.own).length > 0];
      const before = await lockStore(tx.sql, call.tenant.store);
      if (before === null) return notFound('store');
      const outdated = refuseOutdated('store', before, version);
      if (outdated) return outdated;
      const repeated = refuseRepeatedLanguage(applyChange(before, change, environment), input);
      if (repeated) return repeated;
      const changed = applyChange(before, change, environment);
      const updatedAt = changeTime(before, clock.now(call.tenant));
      const after = shared ? { ...changed, updated_at: updatedAt } : changed;
      const refusal = currencyObstacle(after, change.shared) ?? (await refuseCurrency(before, after.currency));
      if (refusal !== null) return refusal;
      if (shared) await updateSharedSettings(tx.sql, after);
      const taken = await claimDomains(tx.sql, publicHost(), after.id, change.shared.domains);
      if (taken) return taken;
      if (own) await updateEnvironmentSettings(tx.sql, after.id, environment, after.environments[environment]);
      // Every webhook receiver gets the event, so it shows only the fields that a publishable key may see.
      const object = profileFor(after, environment, 'publishable');
      const updated = updatedFields(profileFor(before, environment, 'publishable'), object);
      if (updated !== null) {
        const { changedFields, previous } = updated;
        await tx.emit(call.tenant, [
          { type: 'store.updated', object: { ...object, changed_fields: changedFields }, previousAttributes: previous },
        ]);
      }
      if (after.wholesale_enabled !== before.wholesale_enabled)
        for (const each of ENVIRONMENTS) {
          await lockEnvironment(tx.sql, after.id, each);
          await updateFeatures(tx, clock, { store: after.id, environment: each }, { before, after, dataChange: null });
        }
      if (shared || own) await caches.invalidateAfterCommit(tx, after.id);
      return { store: profileFor(after, environment, call.keyType) };
    }),

    ...policyHandlers(clock),

    ListFeatures: query(async (sql, call) => {
      const store = await caches.stores.get(call.tenant.store);
      if (store === null) return notFound('store');
      const states = featureStates(await listFeatures(sql, call.tenant), store);
      return {
        features: states.map(({ feature, status, previousStatus }) => ({
          feature,
          status,
          previous_status: previousStatus,
        })),
      };
    }),

    GetUsage: read(async (call, _input: GetUsageRequest) => {
      const store = await caches.stores.get(call.tenant.store);
      if (store === null) return notFound('store');
      const counted = await ask('Limit/GetMonth', call.tenant, {});
      if (counted instanceof Refusal) return counted;
      const { start, spent: used } = counted;
      const { month } = limitsOf(store, store.limits, 'production');
      const quota = month === 0 ? null : month;
      const remaining = quota === null ? null : Math.max(0, quota - used);
      return {
        usage: { plan: store.plan, trial: store.trial, month: monthName(start * 1_000), quota, used, remaining },
      };
    }),
  };
};
