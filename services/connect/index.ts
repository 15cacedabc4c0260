// The connect domain: apps that act for a store with the merchant's consent.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openConsents } from './consent.ts';
import { openTokenExpiry, startDeletingExpired } from './expiry.ts';
import { adminHandlers, directoryHandlers } from './rpc/directory.ts';
import { oauthHandlers } from './rpc/oauth.ts';
import { sessionHandlers } from './rpc/session.ts';
import { findGrant } from './table/grant.ts';
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
    due: [openTokenExpiry(runtime)],
    records: { grant: findGrant },
    reset: {
      tables: { 'connect.credential': 'cleared', 'connect.grant': 'cleared', 'connect.session': 'cleared' },
      // Edges may have cached tokens that the reset deletes.
      settle: async (tx, tenant) => tx.afterCommit(() => runtime.notices.publish({ kind: 'store', tenant })),
    },
    start: async () => {
      stopSweep = startDeletingExpired(runtime);
    },
    stop: async () => stopSweep?.(),
  };
};
