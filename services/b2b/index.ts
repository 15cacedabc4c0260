// Wholesale as the host sees it: requests for quotes, quotes, purchase orders, invoices.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { quotesDue } from './expiry.ts';
import { openNeighbours } from './neighbour.ts';
import { invoicesDue, startOverdue } from './overdue.ts';
import { openPrinter } from './paper/printer.ts';
import { invoiceHandlers } from './rpc/invoice.ts';
import { purchaseOrderHandlers } from './rpc/purchase_order.ts';
import { quoteHandlers } from './rpc/quote.ts';
import { rfqHandlers } from './rpc/rfq.ts';
import { startSettling } from './settling.ts';

export const b2b = (foundation: Foundation): Domain => {
  const neighbours = openNeighbours(openInquiry(foundation));
  const printer = openPrinter();
  const stops: (() => Promise<void> | void)[] = [printer.close];
  return {
    name: 'b2b',
    services: {
      Wholesale: {
        ...rfqHandlers(neighbours),
        ...quoteHandlers(foundation, neighbours),
        ...purchaseOrderHandlers(foundation, neighbours),
        ...invoiceHandlers(foundation, neighbours, printer),
      },
    },
    due: [quotesDue(foundation), invoicesDue],
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
      stops.push(startOverdue(foundation), startSettling(foundation, neighbours).stop);
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
