// Stores: profiles, keys, plans, policies, features and usage, as the host sees them.
import type { Foundation } from '#runtime/foundation.ts';
import type { Inbox } from '#runtime/inbox.ts';
import type { Domain } from '#runtime/rpc.ts';
import { adminHandlers } from './admin.ts';
import { directoryHandlers } from './directory.ts';
import { openMemories } from './principal.ts';
import { startReactor } from './reactor.ts';
import { storeHandlers } from './rpc.ts';
import { dropUsage } from './table/usage.ts';

const SWEEP_MS = 3_600_000;
/** Longer than the longest window beside the month. */
const USAGE_KEPT_MS = 2 * 86_400_000;

export const store = (foundation: Foundation): Domain => {
  const { postgres, clock, log } = foundation;
  const memories = openMemories(foundation);
  const allowLocal = process.env.STOA_ALLOW_LOCAL_WEBHOOKS === '1';
  let reactor: Inbox | null = null;
  let unlisten: (() => void) | null = null;
  let sweeper: ReturnType<typeof setInterval> | undefined;

  const sweep = (): void => {
    dropUsage(postgres.sql, new Date(clock.real() - USAGE_KEPT_MS)).catch((problem) =>
      log.warn({ err: problem }, 'old usage was not dropped'),
    );
  };

  return {
    name: 'store',
    services: {
      Store: storeHandlers(foundation, memories, { allowLocal }),
      StoreDirectory: directoryHandlers(foundation, memories),
      StoreAdmin: adminHandlers(foundation, memories),
    },
    start: async () => {
      unlisten = memories.listen();
      reactor = startReactor(foundation);
      sweeper = setInterval(sweep, SWEEP_MS);
      sweeper.unref();
    },
    stop: async () => {
      clearInterval(sweeper);
      unlisten?.();
      await reactor?.stop();
    },
  };
};
