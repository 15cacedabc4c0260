// Reviews: what shoppers say of products, moderated, and what it makes of a product's rating.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { openFollow } from './change.ts';
import { openNeighbours } from './neighbour.ts';
import { startReactor } from './reactor.ts';
import { reviewDirectoryHandlers, reviewHandlers } from './rpc.ts';
import { resetStanding } from './table/standing.ts';
import { openTeller } from './teller.ts';

export const review = (runtime: Runtime): Domain => {
  const { notices } = runtime;
  const domainClient = openDomainClient(runtime);
  const teller = openTeller(runtime, domainClient);
  let inbox: Inbox | null = null;
  return {
    name: 'review',
    services: {
      Review: reviewHandlers(runtime, openNeighbours(domainClient), openFollow(runtime, teller)),
      ReviewDirectory: reviewDirectoryHandlers,
    },
    reset: {
      tables: {
        'review.review': 'cleared',
        'review.vote': 'cleared',
        'review.rating': 'cleared',
        'review.deleted_customer': 'cleared',
        'review.standing': 'kept',
      },
      settle: async (tx, tenant) => {
        const revision = await resetStanding(tx.sql, tenant);
        if (revision === null) return;
        tx.afterCommit(() => notices.publish({ kind: 'review', tenant, revision, ids: null }));
      },
      // The store's features are told that there is nothing any more.
      forget: () => teller.tellAll(),
    },
    start: async () => {
      teller.start();
      inbox = startReactor(runtime);
    },
    stop: async () => {
      await inbox?.stop();
      await teller.stop();
    },
  };
};
