// Connect: apps that work with a store by its leave, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openConsents } from './consent.ts';
import { openDue, startSweep } from './expiry.ts';
import { adminHandlers, directoryHandlers } from './rpc/directory.ts';
import { oauthHandlers } from './rpc/oauth.ts';
import { sessionHandlers } from './rpc/session.ts';
import { openTokens } from './token.ts';

export const connect = (foundation: Foundation): Domain => {
  let stopSweep: (() => void) | null = null;
  return {
    name: 'connect',
    services: {
      Connect: { ...sessionHandlers(foundation), ...oauthHandlers(foundation, openTokens(foundation)) },
      ConnectDirectory: directoryHandlers(foundation, openConsents(foundation)),
      ConnectAdmin: adminHandlers(foundation),
    },
    due: [openDue(foundation)],
    reset: {
      tables: { 'connect.credential': 'cleared', 'connect.grant': 'cleared', 'connect.session': 'cleared' },
      // Edges have believed in tokens that are gone.
      settle: async (tx, tenant) => tx.afterCommit(() => foundation.notices.publish({ kind: 'store', tenant })),
    },
    start: async () => {
      stopSweep = startSweep(foundation);
    },
    stop: async () => stopSweep?.(),
  };
};
