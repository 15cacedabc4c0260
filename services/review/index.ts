// Reviews: shoppers' opinions of products, their moderation, and each product's rating.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { openReviewChanges } from './change.ts';
import { openReviewClients } from './client.ts';
import { openRatingPublisher } from './rating_publisher.ts';
import { startReactor } from './reactor.ts';
import { reviewDirectoryHandlers, reviewHandlers } from './rpc.ts';
import { reviewErasures } from './table/erasure.ts';
import { resetState } from './table/state.ts';

export const review = (runtime: Runtime): Domain => {
  const { notices } = runtime;
  const domainClient = openDomainClient(runtime);
  const publisher = openRatingPublisher(runtime, domainClient);
  let inbox: Inbox | null = null;
  return {
    name: 'review',
    services: {
      Review: reviewHandlers(runtime, openReviewClients(domainClient), openReviewChanges(runtime)),
      ReviewDirectory: reviewDirectoryHandlers,
    },
    jobs: [publisher.job],
    erasures: reviewErasures(runtime),
    personalRecords: ['review'],
    reset: {
      tables: {
        'review.review': 'cleared',
        'review.vote': 'cleared',
        'review.rating': 'cleared',
        'review.deleted_customer': 'cleared',
        'review.state': 'retained',
      },
      settle: async (tx, tenant) => {
        const revision = await resetState(tx.sql, tenant);
        if (revision === null) return;
        tx.afterCommit(() => notices.publish({ kind: 'review', tenant, revision, ids: null }));
      },
      forget: async (tenant) => void (await publisher.publish(tenant)),
    },
    start: async () => {
      inbox = startReactor(runtime);
    },
    stop: async () => inbox?.stop(),
  };
};
