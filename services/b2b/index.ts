// Wholesale as the host sees it: requests for quotes, quotes, purchase orders.
import type { Foundation } from '#runtime/foundation.ts';
import { openInquiry } from '#runtime/inquiry.ts';
import type { Domain } from '#runtime/rpc.ts';
import { quotesDue } from './expiry.ts';
import { openNeighbours } from './neighbour.ts';
import { purchaseOrderHandlers } from './rpc/purchase_order.ts';
import { quoteHandlers } from './rpc/quote.ts';
import { rfqHandlers } from './rpc/rfq.ts';

export const b2b = (foundation: Foundation): Domain => {
  const neighbours = openNeighbours(openInquiry(foundation));
  return {
    name: 'b2b',
    services: {
      Wholesale: {
        ...rfqHandlers(neighbours),
        ...quoteHandlers(foundation, neighbours),
        ...purchaseOrderHandlers(foundation, neighbours),
      },
    },
    due: [quotesDue(foundation)],
    reset: {
      tables: {
        'b2b.number': 'cleared',
        'b2b.rfq': 'cleared',
        'b2b.quote': 'cleared',
        'b2b.purchase_order': 'cleared',
      },
    },
  };
};
