// Media: the pictures and videos that stores upload.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { natsStorage } from '#runtime/storage/nats_storage.ts';
import { s3Storage } from '#runtime/storage/s3_storage.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { directoryHandlers, mediaHandlers } from './rpc.ts';
import { startSweep } from './sweep.ts';

const openStorage = ({ bus, namespace, settings: { s3 } }: Runtime): Storage =>
  s3 === null ? natsStorage(bus, namespace) : s3Storage(s3);

export const media = (runtime: Runtime): Domain => {
  const storage = openStorage(runtime);
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
