// Conversations between shoppers and stores, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openNeighbours } from './neighbour.ts';
import { messagingHandlers } from './rpc.ts';

export const message = (foundation: Foundation): Domain => ({
  name: 'message',
  services: { Messaging: messagingHandlers(openNeighbours(openInquiry(foundation))) },
  reset: { tables: { 'message.thread': 'cleared', 'message.message': 'cleared' } },
});
