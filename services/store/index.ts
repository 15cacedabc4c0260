// Stores: profiles, keys, plans, policies and features, as the host sees them.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import { adminHandlers } from './admin.ts';
import { adminKeyHandlers } from './admin_key.ts';
import { directoryHandlers } from './directory.ts';
import { openMemories } from './principal.ts';
import { startReactor } from './reactor.ts';
import { storeHandlers } from './rpc.ts';
import { SEALED } from './sealed.ts';

export const store = (runtime: Runtime): Domain => {
  const memories = openMemories(runtime);
  const { allowLocal } = runtime.settings;
  let reactor: Inbox | null = null;
  let unlisten: (() => void) | null = null;

  return {
    name: 'store',
    sealed: SEALED,
    services: {
      Store: storeHandlers(runtime, memories, { allowLocal }),
      StoreDirectory: directoryHandlers(memories),
      StoreAdmin: { ...adminHandlers(runtime, memories), ...adminKeyHandlers(runtime, memories) },
    },
    reset: {
      tables: { 'store.environment': 'kept', 'store.api_key': 'kept', 'store.feature': 'cleared' },
    },
    start: async () => {
      unlisten = memories.listen();
      reactor = startReactor(runtime);
    },
    stop: async () => {
      unlisten?.();
      await reactor?.stop();
    },
  };
};
