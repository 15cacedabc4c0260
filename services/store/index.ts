// Stores: profiles, keys, plans, policies and features, as the host sees them.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { adminHandlers } from './admin.ts';
import { adminKeyHandlers } from './admin_key.ts';
import { directoryHandlers } from './directory.ts';
import { openMemories } from './principal.ts';
import { startReactor } from './reactor.ts';
import { storeHandlers } from './rpc.ts';
import { secretContext } from './secret.ts';

const of = (kind: 'hmac' | 'external_auth'): SealedColumn => ({
  table: 'store.environment',
  column: `${kind}_secret`,
  id: null,
  context: ({ store, environment }) => secretContext(kind, store, environment),
});

const SEALED: readonly SealedColumn[] = [of('hmac'), of('external_auth')];

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
