// Opens the storage of files that STOA_MEDIA names.
import type { Bus } from '#runtime/nats/bus.ts';
import type { Settings } from '#runtime/process/setting.ts';
import { natsStorage } from './nats_storage.ts';
import { s3Storage } from './s3_storage.ts';
import type { Storage } from './storage.ts';

export const openStorage = (bus: Bus, namespace: string, { s3 }: Pick<Settings, 's3'>): Storage =>
  s3 === null ? natsStorage(bus, namespace) : s3Storage(s3);
