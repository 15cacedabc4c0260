// Conversations between shoppers and stores, as the host sees them.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { messagingHandlers, openNeighbours } from './rpc.ts';

export const message = (runtime: Runtime): Domain => ({
  name: 'message',
  services: { Messaging: messagingHandlers(openNeighbours(openDomainClient(runtime))) },
  reset: { tables: { 'message.thread': 'cleared', 'message.message': 'cleared' } },
});
