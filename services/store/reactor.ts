// Follows the catalogue: the features that live on it become available with its first active product and wait for data again
// once the last one is gone.
import { Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { updateFeatures } from './feature_update.ts';
import { findStore, lockEnvironment } from './table/store.ts';

export const startReactor = (runtime: Runtime): Inbox => {
  const { postgres, bus, namespace, log, clock, ask } = runtime;
  const look = async (tx: Transaction, tenant: Tenant): Promise<void> => {
    // Looked under the lock, so that the last to look is the last to write.
    await lockEnvironment(tx.sql, tenant.store, tenant.environment);
    const store = await findStore(tx.sql, tenant.store);
    if (store === null) return;
    const found = await ask('CatalogDirectory/HasProducts', tenant, {});
    // Thrown, so that the event comes again.
    if (found instanceof Refusal) throw new Error(`products were not looked for: ${found.message}`);
    if (!('active' in found)) throw new Error('products were not looked for');
    const news = { of: 'catalogue', hasData: found.active } as const;
    await updateFeatures(tx, clock, tenant, { before: store, after: store, news });
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'store_features',
    types: ['product.created', 'product.updated'],
    // Each event says no more than "look": what is found holds for all that came with it.
    repeatable: () => true,
    hearAll: async (tx, heads) => {
      const tenants = new Map(heads.map(({ tenant }) => [tenantKey(tenant), tenant]));
      for (const tenant of tenants.values()) await look(tx, tenant);
    },
  });
};
