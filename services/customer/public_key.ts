// Caches the public keys of stores' identity providers for minutes. Fetches them again if a token names an unknown key.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Environment } from '#runtime/call/call.ts';
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

const readSet = (body: Uint8Array): JSONWebKeySet | null => {
  try {
    const read = JSON.parse(new TextDecoder().decode(body)) as JSONWebKeySet;
    return Array.isArray(read.keys) ? read : null;
  } catch {
    return null;
  }
};

export class PublicKeys {
  readonly #outbound: Outbound;
  readonly #clock: Pick<Clock, 'real'>;
  readonly #sets = new Map<string, KeySet>();
  readonly #fetching = new Map<string, Promise<KeySet | null>>();

  constructor(outbound: Outbound, clock: Pick<Clock, 'real'>) {
    this.#outbound = outbound;
    this.#clock = clock;
  }

  /**
   * Returns a function that finds a token's key; the function throws if the key is unknown or the provider unreachable.
   */
  of(url: string, environment: Environment): JWTVerifyGetKey {
    const name = `${environment} ${url}`;
    return async (header, token) => {
      const known = this.#sets.get(name);
      const now = this.#clock.real();
      const set = known && now < known.fetchedAt + FRESH_MS ? known : await this.#shareFetch(name, url, environment);
      if (set === null) throw new errors.JWKSTimeout();
      try {
        return await set.find(header, token);
      } catch (problem) {
        if (!(problem instanceof errors.JWKSNoMatchingKey) || now < set.fetchedAt + UNKNOWN_KEY_REFETCH_MS_MIN)
          throw problem;
        const newer = await this.#shareFetch(name, url, environment);
        if (newer === null) throw problem;
        return newer.find(header, token);
      }
    };
  }

  #shareFetch(name: string, url: string, environment: Environment): Promise<KeySet | null> {
    let fetching = this.#fetching.get(name);
    if (!fetching) {
      fetching = this.#fetch(name, url, environment).finally(() => this.#fetching.delete(name));
      this.#fetching.set(name, fetching);
    }
    return fetching;
  }

  async #fetch(name: string, url: string, environment: Environment): Promise<KeySet | null> {
    const answer = await this.#outbound.send({ url, environment, timeoutMs: FETCH_TIMEOUT_MS });
    if (answer instanceof OutboundFailure || answer.status !== 200 || answer.truncated) return null;
    const keys = readSet(answer.body);
    if (keys === null) return null;
    if (this.#sets.size >= SETS_MAX) this.#sets.clear();
    const set: KeySet = { fetchedAt: this.#clock.real(), find: createLocalJWKSet(keys) };
    this.#sets.set(name, set);
    return set;
  }
}
