// Connect: apps that work with a store by its leave, as the host sees them.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openConsents } from './consent.ts';
import { openDue, startSweep } from './expiry.ts';
import { adminHandlers, directoryHandlers } from './rpc/directory.ts';
import { oauthHandlers } from './rpc/oauth.ts';
import { sessionHandlers } from './rpc/session.ts';
import { openTokens } from './token.ts';

export const connect = (runtime: Runtime): Domain => {
  let stopSweep: (() => void) | null = null;
  return {
    name: 'connect',
    services: {
      Connect: { ...sessionHandlers(runtime), ...oauthHandlers(runtime, openTokens(runtime)) },
      ConnectDirectory: directoryHandlers(runtime, openConsents(runtime)),
      ConnectAdmin: adminHandlers(runtime),
    },
    due: [openDue(runtime)],
    reset: {
      tables: { 'connect.credential': 'cleared', 'connect.grant': 'cleared', 'connect.session': 'cleared' },
      // Edges have believed in tokens that are gone.
      settle: async (tx, tenant) => tx.afterCommit(() => runtime.notices.publish({ kind: 'store', tenant })),
    },
    start: async () => {
      stopSweep = startSweep(runtime);
    },
    stop: async () => stopSweep?.(),
  };
};
