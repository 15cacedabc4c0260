// Consumes product events: catalogue features are `awaiting_data` until the store has an active product.
import { Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { updateFeatures } from './feature_update.ts';
import { findStore, lockEnvironment } from './table/store.ts';

export const startReactor = (runtime: Runtime): Inbox => {
  const { postgres, bus, namespace, log, clock, ask } = runtime;
  const updateFromCatalogue = async (tx: Transaction, tenant: Tenant): Promise<void> => {
    // Locks before it asks the catalogue, so that the newest answer is written last.
    await lockEnvironment(tx.sql, tenant.store, tenant.environment);
    const store = await findStore(tx.sql, tenant.store);
    if (store === null) return;
    const found = await ask('CatalogDirectory/HasProducts', tenant, {});
    // Throws, so that the inbox delivers the event again.
    if (found instanceof Refusal) throw new Error(`failed to look for active products: ${found.message}`);
    if (!('active' in found)) throw new Error('the reply of HasProducts lacks "active"');
    const dataChange = { subject: 'catalogue', hasData: found.active } as const;
    await updateFeatures(tx, clock, tenant, { before: store, after: store, dataChange });
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'store_features',
    types: ['product.created', 'product.updated'],
    // Handling an event twice changes nothing: it only makes the store ask the catalogue.
    repeatable: () => true,
    handleHeads: async (tx, heads) => {
      const tenants = new Map(heads.map(({ tenant }) => [tenantKey(tenant), tenant]));
      for (const tenant of tenants.values()) await updateFromCatalogue(tx, tenant);
    },
  });
};
