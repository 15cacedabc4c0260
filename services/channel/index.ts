// The channel domain: pushes catalogues to external marketplaces and feeds.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { openStoreLanguages } from '#services/commerce/store_profile.ts';
import { openAttempt } from './attempt.ts';
import { channelsDue } from './clock_advance.ts';
import { channelHandlers } from './rpc.ts';
import { openCatalogueFollower, syncJob } from './sync_worker.ts';
import { secretContext } from './table/channel.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'channel.channel', column: 'secret', id: 'id', context: secretContext },
];

export const channel = (runtime: Runtime): Domain => {
  const attempt = openAttempt(runtime);
  const languages = openStoreLanguages(runtime);
  const follower = openCatalogueFollower(runtime);
  let stopFollowing = (): void => {};
  return {
    name: 'channel',
    sealedColumns: SEALED,
    services: { Channel: channelHandlers(runtime, languages) },
    due: [channelsDue(runtime, attempt)],
    jobs: [syncJob(attempt)],
    reset: { tables: { 'channel.item': 'cleared', 'channel.channel': 'cleared' } },
    onNotice: {
      catalog: ({ tenant }) => follower.noteChange(tenant),
      store: ({ tenant }) => languages.forget(tenant.store),
    },
    start: async () => {
      stopFollowing = follower.start();
    },
    stop: async () => stopFollowing(),
  };
};
