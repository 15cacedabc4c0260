// Provides the optional cache that edges share. Every command has a short deadline and none throws, so an unavailable
// Redis only causes misses.
import { Redis } from 'ioredis';
import type { Log } from '#runtime/process/log.ts';

export interface SharedStore {
  readonly available: boolean;
  get(key: string): Promise<Uint8Array | null>;
  set(key: string, bytes: Uint8Array, ttlMs: number): Promise<void>;
  delete(...keys: string[]): Promise<void>;
  close(): Promise<void>;
}

export interface CacheOptions {
  readonly url: string | undefined;
  readonly prefix: string;
  readonly log: Log;
}

const COMMAND_MS_MAX = 150;
const CONNECT_MS_MAX = 1_000;
const FAILURES_MAX = 3;
const LEFT_ALONE_MS = 1_000;
const RECONNECT_MS_MAX = 2_000;

const NO_CACHE: SharedStore = {
  available: false,
  get: async () => null,
  set: async () => {},
  delete: async () => {},
  close: async () => {},
};

export const connectCache = ({ url, prefix, log }: CacheOptions): SharedStore => {
  if (!url) return NO_CACHE;
  const redis = new Redis(url, {
    keyPrefix: prefix,
    commandTimeout: COMMAND_MS_MAX,
    connectTimeout: CONNECT_MS_MAX,
    // A command that cannot be sent at once counts as a miss.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: true,
    retryStrategy: (tries) => Math.min(RECONNECT_MS_MAX, 100 * tries) * (0.75 + Math.random() / 2),
  });
  let failures = 0;
  let askAgainAt = 0;
  let complained = false;
  redis.on('error', (problem: Error) => {
    if (!complained) log.warn({ err: problem }, 'the cache does not answer');
    complained = true;
  });
  redis.on('ready', () => {
    if (complained) log.info('the cache answers again');
    complained = false;
    failures = 0;
    askAgainAt = 0;
  });

  const available = (): boolean => redis.status === 'ready' && performance.now() >= askAgainAt;

  const attempt = async <T>(command: () => Promise<T>, otherwise: T): Promise<T> => {
    if (!available()) return otherwise;
    try {
      const answer = await command();
      failures = 0;
      return answer;
    } catch (problem) {
      failures++;
      // Commands that fail together pause the cache only once.
      if (failures >= FAILURES_MAX && performance.now() >= askAgainAt) {
        askAgainAt = performance.now() + LEFT_ALONE_MS;
        // Disconnects, to drop commands that would pile up behind a frozen server.
        redis.disconnect(true);
        if (!complained) log.warn({ err: problem }, 'the cache is left alone for a while');
        complained = true;
      }
      return otherwise;
    }
  };

  return {
    get available() {
      return available();
    },
    get: (key) => attempt<Uint8Array | null>(() => redis.getBuffer(key), null),
    set: async (key, bytes, ttlMs) => {
      await attempt<unknown>(() => redis.set(key, Buffer.from(bytes), 'PX', Math.max(1, Math.ceil(ttlMs))), null);
    },
    delete: async (...keys) => {
      if (keys.length > 0) await attempt<unknown>(() => redis.del(...keys), null);
    },
    close: async () => {
      redis.disconnect();
    },
  };
};
