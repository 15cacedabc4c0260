// Content: the blog, shoppable lookbooks, and who has looked at them.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import { announcer } from './announcement.ts';
import { ViewCounter } from './counter.ts';
import { openOfferBooks } from './offer_book.ts';
import { audienceHandlers } from './rpc/audience.ts';
import { directoryHandlers } from './rpc/directory.ts';
import { lookbookHandlers } from './rpc/lookbook.ts';
import { postHandlers } from './rpc/post.ts';
import { postsDue, startSchedule } from './schedule.ts';
import { sweepViews } from './table/view.ts';
import { Watch } from './watch.ts';
import { openZones } from './zone.ts';

const LOOK_MS = 600_000;
const KEPT_MS = 800 * 86_400_000;

/** Deletes views that are too old to be asked for. Returns how to stop. */
const startSweep = ({ postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>): (() => void) => {
  const round = (): Promise<number> => {
    const before = new Date(clock.real() - KEPT_MS);
    return inSlices((limit) => sweepViews(postgres.sql, before, limit));
  };
  return repeatedly({
    everyMs: LOOK_MS,
    able: () => postgres.available,
    work: round,
    failed: (problem) => log.warn({ err: problem }, 'old views were not forgotten'),
  });
};

export const content = (runtime: Runtime): Domain => {
  const { clock } = runtime;
  const counter = new ViewCounter(runtime);
  const watch = new Watch(runtime);
  const zones = openZones(runtime);
  const announce = announcer(runtime, watch);
  const stops: (() => void)[] = [];
  return {
    name: 'content',
    services: {
      Blog: postHandlers(clock, watch, announce),
      Lookbook: lookbookHandlers({ clock, lookUp: openOfferBooks(runtime), watch, announce }),
      Content: audienceHandlers(clock, counter, zones),
      ContentDirectory: directoryHandlers(clock, counter, watch, zones),
    },
    due: [postsDue(announce)],
    reset: {
      tables: {
        'content.revision': 'kept',
        'content.post': 'cleared',
        'content.lookbook': 'cleared',
        'content.view': 'cleared',
      },
      settle: (tx, tenant) => announce(tx, tenant, null),
      forget: (tenant) => counter.forget(tenant),
    },
    start: async () => {
      watch.start();
      stops.push(
        runtime.notices.listen(({ kind, tenant }) => {
          if (kind === 'store') zones.forget(tenant.store);
        }),
        startSchedule(runtime, announce),
        startSweep(runtime),
      );
    },
    stop: async () => {
      for (const stop of stops) stop();
      watch.stop();
      await counter.settle();
    },
  };
};
