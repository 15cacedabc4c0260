// Consumes events: records orders as sessions, and deletes data of deleted products and customers.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { EventEnvelope } from '#runtime/event/envelope.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type Inbox, startInbox } from '#runtime/postgres/inbox.ts';
import type { RecommendationAvailability } from './availability.ts';
import { ACTIONS, mergeInteractions, type ProductInteraction, sessionOf } from './interaction.ts';
import { forgetCustomer, PRODUCTS_PER_SESSION_MAX, saveInteractions } from './table/interaction.ts';

const interactionsOf = (event: EventEnvelope<'order.created'>): ProductInteraction[] => {
  if ('truncated' in event.data.object) return [];
  const { id, customer_id: customer, items } = event.data.object;
  const seenAt = new Date(event.created_at);
  return mergeInteractions(
    items.slice(0, PRODUCTS_PER_SESSION_MAX).flatMap(({ product_id: product }) => {
      const session = sessionOf('order', id);
      const verified = customer !== null;
      return [{ session, product, actions: ACTIONS.order, customer, verified, channel: 'storefront' as const, seenAt }];
    }),
  );
};

interface OrderArrival {
  readonly tenant: Tenant;
  readonly event: EventEnvelope<'order.created'>;
}

/**
 * Delays before checking again, because the event of a deletion may arrive before the catalogue in memory has applied
 * it.
 */
const RECHECK_DELAYS_MS = [1_000, 10_000];

export const startReactor = (runtime: Runtime, availability: RecommendationAvailability): Inbox => {
  const { postgres, bus, namespace, log } = runtime;

  const recordOrders = async (tx: Transaction, arrivals: readonly OrderArrival[]): Promise<void> => {
    const byTenant = new Map<string, { readonly tenant: Tenant; readonly sessions: ProductInteraction[][] }>();
    for (const { tenant, event } of arrivals) {
      const own = byTenant.get(tenantKey(tenant)) ?? { tenant, sessions: [] };
      byTenant.set(tenantKey(tenant), own);
      own.sessions.push(interactionsOf(event));
    }
    for (const { tenant, sessions } of byTenant.values()) {
      await saveInteractions(tx.sql, tenant, mergeInteractions(sessions.flat()));
      // Omits sessions with one product, which form no pair.
      const paired = sessions.filter((session) => session.length > 1).flat();
      const products = [...new Set(paired.map(({ product }) => product))];
      if (products.length > 0) tx.afterCommit(() => availability.checkAdded(tenant, products));
    }
  };

  /**
   * Deletes the product's interactions if it no longer exists. The event also reports inactive products, which may
   * become active again.
   */
  const forgetIfDeleted = async (tenant: Tenant, id: string): Promise<void> => {
    for (const ms of RECHECK_DELAYS_MS) {
      setTimeout(() => {
        availability
          .forgetDeleted(tenant, [id])
          .catch((problem) => log.debug({ err: problem }, 'failed to recheck an inactive product'));
      }, ms).unref();
    }
    await availability.forgetDeleted(tenant, [id]);
  };

  return startInbox({
    postgres,
    bus,
    namespace,
    log,
    name: 'recommendation',
    types: ['order.created', 'product.updated', 'customer.deleted'],
    handleAll: async (tx, arrivals) => {
      await recordOrders(
        tx,
        arrivals.flatMap(({ event, tenant }) => (event.type === 'order.created' ? [{ event, tenant }] : [])),
      );
      for (const { event, tenant } of arrivals) {
        const { object } = event.data;
        if (object.id === null) continue;
        const { id } = object;
        if (event.type === 'customer.deleted') await forgetCustomer(tx.sql, tenant, id);
        if (event.type === 'product.updated' && 'is_active' in object && object.is_active === false)
          tx.afterCommit(() => forgetIfDeleted(tenant, id));
      }
    },
  });
};
