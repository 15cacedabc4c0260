// Reviews: what shoppers say of products, moderated, and what it makes of a product's rating.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openFollow } from './change.ts';
import { openNeighbours } from './neighbour.ts';
import { reviewDirectoryHandlers, reviewHandlers } from './rpc.ts';
import { resetStanding } from './table/standing.ts';
import { openTeller } from './teller.ts';

export const review = (foundation: Foundation): Domain => {
  const { notices } = foundation;
  const inquiry = openInquiry(foundation);
  const teller = openTeller(foundation, inquiry);
  return {
    name: 'review',
    services: {
      Review: reviewHandlers(foundation, openNeighbours(inquiry), openFollow(foundation, teller)),
      ReviewDirectory: reviewDirectoryHandlers,
    },
    reset: {
      tables: {
        'review.review': 'cleared',
        'review.vote': 'cleared',
        'review.rating': 'cleared',
        'review.standing': 'kept',
      },
      settle: async (tx, tenant) => {
        const revision = await resetStanding(tx.sql, tenant);
        if (revision === null) return;
        tx.afterCommit(() => notices.publish({ kind: 'review', tenant, revision, products: null }));
      },
      // The store's features are told that there is nothing any more.
      forget: () => teller.tellAll(),
    },
    start: async () => teller.start(),
    stop: () => teller.stop(),
  };
};
