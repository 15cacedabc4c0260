// Channels: where catalogues go beside the store itself, as the host sees them.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { openAttempt } from './attempt.ts';
import { channelsDue } from './jump.ts';
import { Pusher } from './pusher.ts';
import { channelHandlers } from './rpc.ts';
import { secretContext } from './table/channel.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'channel.channel', column: 'secret', id: 'id', context: secretContext },
];

export const channel = (runtime: Runtime): Domain => {
  const attempt = openAttempt(runtime);
  const pusher = new Pusher(runtime, attempt);
  return {
    name: 'channel',
    sealedColumns: SEALED,
    services: { Channel: channelHandlers(runtime, (tenant) => pusher.listenTo(tenant)) },
    due: [channelsDue(runtime, attempt)],
    reset: { tables: { 'channel.item': 'cleared', 'channel.channel': 'cleared' } },
    start: async () => pusher.start(),
    stop: () => pusher.stop(),
  };
};
