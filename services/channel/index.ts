// Channels: where catalogues go beside the store itself, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { Pusher } from './pusher.ts';
import { channelHandlers } from './rpc.ts';

export const channel = (foundation: Foundation): Domain => {
  const pusher = new Pusher(foundation);
  return {
    name: 'channel',
    services: { Channel: channelHandlers(foundation, (tenant) => pusher.listenTo(tenant)) },
    reset: { tables: { 'channel.item': 'cleared', 'channel.channel': 'cleared' } },
    start: async () => pusher.start(),
    stop: () => pusher.stop(),
  };
};
