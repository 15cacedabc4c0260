// The order domain as the host starts it. rpc.ts has the handlers of orders. An order is prepared in preparation.ts, which
// also reserves its stock; placed in one transaction in placement.ts; and followed up in follow_up.ts.
// Cancelling (change.ts), refunds (refund.ts) and returns (return/decision.ts) give units back to stock.
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { agreedOrderHandlers } from './agreed_order.ts';
import { checkoutDirectoryHandlers, checkoutHandlers } from './checkout/rpc.ts';
import { openOrderClients } from './client.ts';
import { openCosts } from './cost.ts';
import { disputeHandlers } from './dispute/rpc.ts';
import { openFollowUps, startFollowUpInbox } from './follow_up.ts';
import { intentOrderHandlers } from './intent_rpc.ts';
import { openNumbers } from './number.ts';
import { openOrigins } from './origin.ts';
import { openPreparation } from './preparation.ts';
import { openStockReservation } from './reservation.ts';
import { returnHandlers } from './return/rpc.ts';
import { orderDirectoryHandlers, orderHandlers, placeOrderHandlers } from './rpc.ts';
import { shipmentHandlers } from './shipment_rpc.ts';
import { forgetDecisions } from './table/decision.ts';
import { orderErasures } from './table/erasure.ts';
import { unpaidDue } from './unpaid.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'decisions about attempts at orders', days: 30, forget: forgetDecisions },
];

export const order = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const clients = openOrderClients(domainClient);
  const origins = openOrigins(domainClient);
  const followUps = openFollowUps(runtime, clients, origins);
  const numbers = openNumbers(runtime.postgres.sql);
  const costs = openCosts(clients);
  const reserveStock = openStockReservation(runtime, clients);
  const preparation = openPreparation({ clients, numbers, costs, reserveStock });
  let followUpInbox: Inbox | undefined;
  return {
    name: 'order',
    retention: RETENTION,
    due: [unpaidDue(clients)],
    records: { order: 'events' },
    erasures: orderErasures,
    personalRecords: ['checkout', 'dispute', 'order', 'return'],
    services: {
      Order: {
        ...placeOrderHandlers({ clients, origins, preparation, followUps }),
        ...shipmentHandlers(runtime, clients),
        ...orderHandlers(clients),
      },
      Return: returnHandlers(runtime, clients),
      Dispute: disputeHandlers(runtime, clients),
      IntentOrder: intentOrderHandlers(runtime, { domainClient, origins, preparation, followUps }),
      AgreedOrder: agreedOrderHandlers({ clients, numbers, reserveStock, followUps }),
      Checkout: checkoutHandlers(runtime, { clients, preparation, followUps }),
      CheckoutDirectory: checkoutDirectoryHandlers,
      OrderDirectory: orderDirectoryHandlers,
    },
    reset: {
      tables: {
        'orders.checkout_order': 'cleared',
        'orders.order': 'cleared',
        'orders.line': 'cleared',
        'orders.refund': 'cleared',
        'orders.shipment': 'cleared',
        'orders.return': 'cleared',
        'orders.dispute': 'cleared',
        'orders.decision': 'cleared',
        'orders.number_block': 'cleared',
        'orders.unpaid': 'cleared',
      },
      forget: (tenant) => numbers.forget(tenant),
    },
    start: async () => {
      followUpInbox = startFollowUpInbox(runtime, followUps);
    },
    stop: async () => {
      await followUpInbox?.stop();
    },
  };
};
