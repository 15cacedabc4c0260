// Caches the public keys of stores' identity providers for minutes. Fetches them again if a token names an unknown key.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Environment } from '#runtime/call/call.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { Clock } from '#runtime/process/clock.ts';

const FRESH_MS = 10 * 60_000;
const UNKNOWN_KEY_REFETCH_MS_MIN = 30_000;
const FETCH_TIMEOUT_MS = 3_000;
const SETS_MAX = 1_000;

interface KeySet {
  readonly fetchedAt: number;
  readonly find: ReturnType<typeof createLocalJWKSet>;
}

interface KeySource {
  readonly url: string;
  readonly environment: Environment;
}

const readSet = (body: Uint8Array): JSONWebKeySet | null => {
  try {
    const read = JSON.parse(new TextDecoder().decode(body)) as JSONWebKeySet;
    return Array.isArray(read.keys) ? read : null;
  } catch {
    return null;
  }
};

export class PublicKeys {
  readonly #clock: Pick<Clock, 'real'>;
  readonly #sets: LookupCache<string, KeySet, KeySource>;

  constructor(outbound: Outbound, clock: Pick<Clock, 'real'>) {
    this.#clock = clock;
    this.#sets = new LookupCache<string, KeySet, KeySource>({
      now: () => clock.real(),
      entriesMax: SETS_MAX,
      load: async (_, { url, environment }) => {
        const answer = await outbound.send({ url, environment, timeoutMs: FETCH_TIMEOUT_MS });
        const failed = answer instanceof OutboundFailure || answer.status !== 200 || answer.truncated;
        const keys = failed ? null : readSet(answer.body);
        if (keys === null) throw new errors.JWKSTimeout();
        return { value: { fetchedAt: clock.real(), find: createLocalJWKSet(keys) }, ttlMs: FRESH_MS };
      },
    });
  }

  /**
   * Returns a function that finds a token's key; the function throws if the key is unknown or the provider unreachable.
   */
  of(url: string, environment: Environment): JWTVerifyGetKey {
    const source = { url, environment };
    const name = `${environment} ${url}`;
    return async (header, token) => {
      const now = this.#clock.real();
      const set = await this.#sets.get(name, source);
      try {
        return await set.find(header, token);
      } catch (problem) {
        if (!(problem instanceof errors.JWKSNoMatchingKey) || now < set.fetchedAt + UNKNOWN_KEY_REFETCH_MS_MIN)
          throw problem;
        const newer = await this.#sets.reload(name, source).catch(() => null);
        if (newer === null) throw problem;
        return newer.find(header, token);
      }
    };
  }
}
