// Media: the pictures and videos that stores upload.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStorage } from '#runtime/storage/open_storage.ts';
import { directoryHandlers, mediaHandlers } from './rpc.ts';
import { startSweep } from './sweep.ts';

export const media = (runtime: Runtime): Domain => {
  const storage = openStorage(runtime.bus, runtime.namespace, runtime.settings);
  let stopSweep = (): void => {};
  return {
    name: 'media',
    services: { Media: mediaHandlers(runtime, storage), MediaDirectory: directoryHandlers(runtime, storage) },
    // The sandbox's own copy of the catalogue names files of production, which stay.
    reset: { tables: { 'media.media': 'cleared', 'media.leftover': 'retained' } },
    start: async () => {
      stopSweep = startSweep(runtime, storage);
    },
    stop: async () => stopSweep(),
  };
};
