// Reports: sums of sales and of the steps of a purchase, which follow orders and storefront events.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { openStoreProfiles } from '#services/commerce/store_profile.ts';
import { startBackfill } from './backfill.ts';
import { startCheckoutCount } from './checkout_count.ts';
import { startReactor } from './reactor.ts';
import { type ReportedStore, reportHandlers } from './rpc.ts';
import { reportErasures } from './table/erasure.ts';
import { forgetSessions } from './table/session.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'the steps of storefront sessions', days: 90, forget: forgetSessions },
];

export const report = (runtime: Runtime): Domain => {
  const stores = openStoreProfiles(runtime, ({ timezone, currency }): ReportedStore => ({ zone: timezone, currency }));
  let inbox: Inbox | null = null;
  let stopBackfill = async (): Promise<void> => {};
  let stopCount = (): void => {};
  return {
    name: 'report',
    services: { Report: reportHandlers(runtime.clock, stores) },
    retention: RETENTION,
    erasures: reportErasures,
    reset: {
      tables: {
        'report.sale': 'cleared',
        'report.step': 'cleared',
        'report.counted': 'cleared',
        'report.return': 'cleared',
        'report.session': 'cleared',
        'report.started_checkout': 'cleared',
        'report.progress': 'cleared',
      },
    },
    onNotice: { store: ({ tenant }) => stores.forget(tenant.store) },
    start: async () => {
      inbox = startReactor(runtime);
      stopBackfill = startBackfill(runtime);
      stopCount = startCheckoutCount(runtime);
    },
    stop: async () => {
      stopCount();
      await stopBackfill();
      await inbox?.stop();
    },
  };
};
