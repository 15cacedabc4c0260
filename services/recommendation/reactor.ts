// Learns from what others tell: orders are sessions that ended well, a deleted product or customer is forgotten.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import { DEEDS, joined, type Sighting, sessionOf } from './sighting.ts';
import type { Standings } from './standing.ts';
import { forgetCustomer, PRODUCTS_PER_SESSION_MAX, saveSightings } from './table/sighting.ts';

const sightingsOf = (event: EventEnvelope<'order.created'>): Sighting[] => {
  if ('truncated' in event.data.object) return [];
  const { id, customer_id: customer, items } = event.data.object;
  const seenAt = new Date(event.created_at);
  return joined(
    items.slice(0, PRODUCTS_PER_SESSION_MAX).flatMap(({ product_id: product }) => {
      const session = sessionOf('order', id);
      const verified = customer !== null;
      return [{ session, product, deeds: DEEDS.order, customer, verified, channel: 'storefront' as const, seenAt }];
    }),
  );
};

interface OrderArrival {
  readonly tenant: Tenant;
  readonly event: EventEnvelope<'order.created'>;
}

/** What a product's end is told by may come before the catalogue's memory knows of it. */
const LOOK_AGAIN_MS = [1_000, 10_000];

export const startReactor = (runtime: Runtime, standings: Standings): Inbox => {
  const { postgres, bus, namespace, log } = runtime;

  /** Every order is a session of its own. */
  const ordered = async (tx: Transaction, arrivals: readonly OrderArrival[]): Promise<void> => {
    const byTenant = new Map<string, { readonly tenant: Tenant; readonly sessions: Sighting[][] }>();
    for (const { tenant, event } of arrivals) {
      const own = byTenant.get(tenantKey(tenant)) ?? { tenant, sessions: [] };
      byTenant.set(tenantKey(tenant), own);
      own.sessions.push(sightingsOf(event));
    }
    for (const { tenant, sessions } of byTenant.values()) {
      await saveSightings(tx.sql, tenant, joined(sessions.flat()));
      // A session of a single product has met no pair.
      const met = sessions.filter((session) => session.length > 1).flat();
      const products = [...new Set(met.map(({ product }) => product))];
      if (products.length > 0) tx.afterCommit(() => standings.grew(tenant, products));
    }
  };

  /** Hidden ones may come back; deleted ones are told of in the same words. */
  const hidden = async (tenant: Tenant, id: string): Promise<void> => {
    for (const ms of LOOK_AGAIN_MS) {
      setTimeout(() => {
        standings.forget(tenant, [id]).catch((problem) => log.debug({ err: problem }, 'a product was not looked for'));
      }, ms).unref();
    }
    await standings.forget(tenant, [id]);
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'recommendation',
    types: ['order.created', 'product.updated', 'customer.deleted'],
    handleAll: async (tx, arrivals) => {
      await ordered(
        tx,
        arrivals.flatMap(({ event, tenant }) => (event.type === 'order.created' ? [{ event, tenant }] : [])),
      );
      for (const { event, tenant } of arrivals) {
        const { object } = event.data;
        if (object.id === null) continue;
        const { id } = object;
        if (event.type === 'customer.deleted') await forgetCustomer(tx.sql, tenant, id);
        if (event.type === 'product.updated' && 'is_active' in object && object.is_active === false)
          tx.afterCommit(() => hidden(tenant, id));
      }
    },
  });
};
