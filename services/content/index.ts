// Content: the blog, shoppable lookbooks, and counts of their views.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { openStoreLanguages } from '#services/commerce/store_profile.ts';
import { announcer } from './announcement.ts';
import { openOfferBooks } from './offer_book.ts';
import { RevisionPoller } from './revision_poller.ts';
import { audienceHandlers, directoryHandlers } from './rpc/directory.ts';
import { lookbookHandlers } from './rpc/lookbook.ts';
import { postHandlers } from './rpc/post.ts';
import { postsDue } from './schedule.ts';
import { readLookbook } from './table/lookbook.ts';
import { readPost } from './table/post.ts';
import { sweepViews } from './table/view.ts';
import { openZones } from './view.ts';
import { ViewCounter } from './view_counter.ts';

const SWEEP_MS = 600_000;
const RETENTION_MS = 800 * 86_400_000;

const startSweep = ({ postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>): (() => void) => {
  const round = (): Promise<number> => {
    const before = new Date(clock.real() - RETENTION_MS);
    return inSlices((limit) => sweepViews(postgres.sql, before, limit));
  };
  return repeatedly({
    everyMs: SWEEP_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'failed to delete old views'),
  });
};

export const content = (runtime: Runtime): Domain => {
  const { clock } = runtime;
  const counter = new ViewCounter(runtime);
  const poller = new RevisionPoller(runtime);
  const zones = openZones(runtime);
  const languages = openStoreLanguages(runtime);
  const announce = announcer(runtime, poller);
  let stopSweep = (): void => {};
  return {
    name: 'content',
    services: {
      Blog: postHandlers(clock, languages, poller, announce),
      Lookbook: lookbookHandlers({ clock, languages, lookUp: openOfferBooks(runtime), poller, announce }),
      Content: audienceHandlers(clock, counter, zones),
      ContentDirectory: directoryHandlers(clock, counter, poller, zones),
    },
    due: [postsDue(announce)],
    records: { lookbook: readLookbook, post: readPost },
    reset: {
      tables: {
        'content.revision': 'retained',
        'content.post': 'cleared',
        'content.lookbook': 'cleared',
        'content.view': 'cleared',
      },
      settle: (tx, tenant) => announce(tx, tenant, null),
      forget: (tenant) => counter.forget(tenant),
    },
    onNotice: {
      store: ({ tenant: { store } }) => {
        zones.forget(store);
        languages.forget(store);
      },
      content: ({ tenant, revision }) => poller.noteNotice(tenant, revision),
    },
    start: async () => {
      poller.start();
      stopSweep = startSweep(runtime);
    },
    stop: async () => {
      stopSweep();
      poller.stop();
      await counter.settle();
    },
  };
};
