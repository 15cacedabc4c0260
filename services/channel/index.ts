// Channels: where catalogues go beside the store itself, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openAttempt } from './attempt.ts';
import { channelsDue } from './jump.ts';
import { Pusher } from './pusher.ts';
import { channelHandlers } from './rpc.ts';
import { SEALED } from './sealed.ts';

export const channel = (foundation: Foundation): Domain => {
  const attempt = openAttempt(foundation);
  const pusher = new Pusher(foundation, attempt);
  return {
    name: 'channel',
    sealed: SEALED,
    services: { Channel: channelHandlers(foundation, (tenant) => pusher.listenTo(tenant)) },
    due: [channelsDue(foundation, attempt)],
    reset: { tables: { 'channel.item': 'cleared', 'channel.channel': 'cleared' } },
    start: async () => pusher.start(),
    stop: () => pusher.stop(),
  };
};
