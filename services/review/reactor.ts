// Invalidates cached reviews of a deleted customer, because publishable keys no longer see the customer's name.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { noteDeletedCustomers } from './table/review.ts';
import { raiseRevision } from './table/state.ts';

interface DeletedCustomers {
  readonly tenant: Tenant;
  readonly customers: string[];
}

export const startReactor = ({ postgres, bus, namespace, log, notices }: Runtime): Inbox =>
  startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'review',
    types: ['customer.deleted'],
    handleAll: async (tx, arrivals) => {
      const byTenant = new Map<string, DeletedCustomers>();
      for (const { tenant, event } of arrivals) {
        const { id } = event.data.object;
        if (id === null) continue;
        const key = tenantKey(tenant);
        const { customers } = byTenant.get(key) ?? { customers: [] };
        byTenant.set(key, { tenant, customers: [...customers, id] });
      }
      // Sorts tenants by key, so that two transactions lock revisions in the same order.
      for (const [, { tenant, customers }] of [...byTenant].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
        if (!(await noteDeletedCustomers(tx.sql, tenant, customers))) continue;
        const revision = await raiseRevision(tx.sql, tenant, 0);
        tx.afterCommit(() => notices.publish({ kind: 'review', tenant, revision, ids: null }));
      }
    },
  });
