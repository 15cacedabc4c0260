// Stores: profiles, keys, plans, policies and features, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { adminHandlers } from './admin.ts';
import { adminKeyHandlers } from './admin_key.ts';
import { directoryHandlers } from './directory.ts';
import { openMemories } from './principal.ts';
import { startReactor } from './reactor.ts';
import { storeHandlers } from './rpc.ts';
import { SEALED } from './sealed.ts';

export const store = (foundation: Foundation): Domain => {
  const memories = openMemories(foundation);
  const { allowLocal } = foundation.settings;
  let reactor: Inbox | null = null;
  let unlisten: (() => void) | null = null;

  return {
    name: 'store',
    sealed: SEALED,
    services: {
      Store: storeHandlers(foundation, memories, { allowLocal }),
      StoreDirectory: directoryHandlers(memories),
      StoreAdmin: { ...adminHandlers(foundation, memories), ...adminKeyHandlers(foundation, memories) },
    },
    reset: {
      tables: { 'store.environment': 'kept', 'store.api_key': 'kept', 'store.feature': 'cleared' },
    },
    start: async () => {
      unlisten = memories.listen();
      reactor = startReactor(foundation);
    },
    stop: async () => {
      unlisten?.();
      await reactor?.stop();
    },
  };
};
