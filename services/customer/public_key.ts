// The public keys of stores' own identity providers: fetched with a deadline, kept for minutes, looked for again when a
// token names one that is not among them.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Environment } from '#runtime/call/call.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import type { Clock } from '#runtime/process/clock.ts';

const FRESH_MS = 10 * 60_000;
/** A token that names an unknown key has them fetched again, but no more often than that. */
const AGAIN_MS = 30_000;
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

  /** How a token's key is found; it throws where there is none, or where its issuer does not answer. */
  of(url: string, environment: Environment): JWTVerifyGetKey {
    const name = `${environment} ${url}`;
    return async (header, token) => {
      const known = this.#sets.get(name);
      const now = this.#clock.real();
      const set = known && now < known.fetchedAt + FRESH_MS ? known : await this.#share(name, url, environment);
      if (set === null) throw new errors.JWKSTimeout();
      try {
        return await set.find(header, token);
      } catch (problem) {
        if (!(problem instanceof errors.JWKSNoMatchingKey) || now < set.fetchedAt + AGAIN_MS) throw problem;
        const newer = await this.#share(name, url, environment);
        if (newer === null) throw problem;
        return newer.find(header, token);
      }
    };
  }

  /** Callers who meet share one request. */
  #share(name: string, url: string, environment: Environment): Promise<KeySet | null> {
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
