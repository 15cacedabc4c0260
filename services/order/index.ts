// The order domain as the host starts it.
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { openNeighbours } from './client.ts';
import { openCosts } from './cost.ts';
import { disputeHandlers } from './dispute/rpc.ts';
import { openFollowUps, startReactor } from './follow_up.ts';
import { checkoutDirectoryHandlers, checkoutHandlers } from './group/rpc.ts';
import { intentOrderHandlers } from './intent_rpc.ts';
import { openNumbers } from './number.ts';
import { openOrigins } from './origin.ts';
import { openPreparation } from './preparation.ts';
import { agreedOrderHandlers } from './purchase_order.ts';
import { openReservation } from './reservation.ts';
import { returnHandlers } from './return/rpc.ts';
import { createOrderHandlers, orderDecisionHandlers, orderDirectoryHandlers, orderHandlers } from './rpc.ts';
import { shipmentHandlers } from './shipment_rpc.ts';
import { forgetDecisions } from './table/decision.ts';
import { startUnpaid, unpaidDue } from './unpaid.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'decisions about attempts at orders', days: 30, forget: forgetDecisions },
];

export const order = (runtime: Runtime): Domain => {
  const domainClient = openDomainClient(runtime);
  const neighbours = openNeighbours(domainClient);
  const origins = openOrigins(domainClient);
  const followUps = openFollowUps(neighbours, origins);
  const numbers = openNumbers(runtime.postgres.sql);
  const costs = openCosts(neighbours);
  const hold = openReservation(runtime, neighbours);
  const preparation = openPreparation({ neighbours, numbers, costs, hold });
  let reactor: Inbox | undefined;
  let stopUnpaid = (): void => {};
  return {
    name: 'order',
    retention: RETENTION,
    due: [unpaidDue(neighbours)],
    services: {
      Order: {
        ...createOrderHandlers(runtime, { neighbours, origins, preparation, followUps }),
        ...shipmentHandlers(runtime, neighbours),
        ...orderHandlers(neighbours),
      },
      Return: returnHandlers(runtime, domainClient, neighbours),
      Dispute: disputeHandlers(runtime, neighbours),
      IntentOrder: intentOrderHandlers(runtime, { domainClient, origins, preparation, followUps }),
      AgreedOrder: agreedOrderHandlers(runtime, { neighbours, numbers, hold, followUps }),
      Checkout: checkoutHandlers(runtime, { neighbours, preparation, followUps }),
      CheckoutDirectory: checkoutDirectoryHandlers,
      OrderDirectory: orderDirectoryHandlers,
      OrderDecision: orderDecisionHandlers,
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
      reactor = startReactor(runtime, followUps);
      stopUnpaid = startUnpaid(runtime, neighbours);
    },
    stop: async () => {
      stopUnpaid();
      await reactor?.stop();
    },
  };
};
