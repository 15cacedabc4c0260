// Orders: what was bought, at which price, and what became of it, as the host sees them.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { agreedOrderHandlers } from './agreed_rpc.ts';
import { openCosts } from './cost.ts';
import { createOrderHandlers } from './create_rpc.ts';
import { orderDecisionHandlers, orderDirectoryHandlers } from './directory_rpc.ts';
import { disputeHandlers } from './dispute/rpc.ts';
import { openFollowUps } from './follow_up.ts';
import { checkoutDirectoryHandlers, checkoutHandlers } from './group/rpc.ts';
import { intentOrderHandlers } from './intent_rpc.ts';
import { openNeighbours } from './neighbour.ts';
import { openNumbers } from './number.ts';
import { openOrigins } from './origin_reader.ts';
import { openPreparation } from './preparation.ts';
import { startReactor } from './reactor.ts';
import { openReservation } from './reservation.ts';
import { RETENTION } from './retention.ts';
import { returnHandlers } from './return/rpc.ts';
import { orderHandlers } from './rpc.ts';
import { shipmentHandlers } from './shipment_rpc.ts';
import { startUnpaid, unpaidDue } from './unpaid.ts';

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
