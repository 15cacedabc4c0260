// The message domain: conversations between shoppers and stores.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { readMessage, readThread } from './list.ts';
import { messagingHandlers, openMessageClients } from './rpc.ts';
import { messageErasures } from './table/erasure.ts';
import { deleteOldThreads } from './table/thread.ts';

export const message = (runtime: Runtime): Domain => ({
  name: 'message',
  services: { Messaging: messagingHandlers(openMessageClients(openDomainClient(runtime))) },
  records: { message: readMessage, thread: readThread },
  erasures: messageErasures,
  retention: [{ what: 'message threads', days: null, setting: 'messages_days', forget: deleteOldThreads }],
  personalRecords: ['message', 'thread'],
  reset: { tables: { 'message.thread': 'cleared', 'message.message': 'cleared' } },
});
