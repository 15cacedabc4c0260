// Wholesale as the host sees it: requests for quotes, quotes, purchase orders, invoices.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { quotesDue } from './expiry.ts';
import { openNeighbours } from './neighbour.ts';
import { invoicesDue, startOverdue } from './overdue.ts';
import { openPrinter } from './paper/printer.ts';
import { invoiceHandlers } from './rpc/invoice.ts';
import { purchaseOrderHandlers } from './rpc/purchase_order.ts';
import { quoteHandlers } from './rpc/quote.ts';
import { rfqHandlers } from './rpc/rfq.ts';
import { startSettling } from './settling.ts';

export const b2b = (runtime: Runtime): Domain => {
  const neighbours = openNeighbours(openDomainClient(runtime));
  const printer = openPrinter();
  const stops: (() => Promise<void> | void)[] = [printer.close];
  return {
    name: 'b2b',
    services: {
      Wholesale: {
        ...rfqHandlers(neighbours),
        ...quoteHandlers(runtime, neighbours),
        ...purchaseOrderHandlers(runtime, neighbours),
        ...invoiceHandlers(runtime, neighbours, printer),
      },
    },
    due: [quotesDue(runtime), invoicesDue],
    reset: {
      tables: {
        'b2b.number': 'cleared',
        'b2b.rfq': 'cleared',
        'b2b.quote': 'cleared',
        'b2b.purchase_order': 'cleared',
        'b2b.invoice': 'cleared',
      },
    },
    start: async () => {
      stops.push(startOverdue(runtime), startSettling(runtime, neighbours).stop);
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
