// Collects when and from where API keys were used, and reports it to the services, at most once a minute for each key. No
// response waits for it, and a report that fails is dropped: the next use follows.
import type { KeyUse } from '#proto/gen/store_directory.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Principal } from './gates/principal.ts';
import { EDGE_CALLER, ownCall } from './own_call.ts';

/** Looking up a connection's address takes time, so a key's next use is noted only after this time. */
const NOTED_EVERY_MS = 1_000;
const REPORTED_EVERY_MS = 60_000;
const KEYS_MAX = 20_000;
const USES_PER_CALL_MAX = 1_000;
const TIMEOUT_MS = 3_000;

interface NotedKey {
  use: KeyUse;
  isReported: boolean;
  /** When a use was last reported, in ms; 0: never. */
  reportedAtMs: number;
}

export class KeyUses {
  readonly #wire: LinkClient;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #keys = new Map<string, NotedKey>();

  constructor(wire: LinkClient, log: Log, now: () => number = Date.now) {
    this.#wire = wire;
    this.#log = log;
    this.#now = now;
  }

  /** Notes a request with a store's API key. `address` returns the caller's address. */
  note({ isApiKey, keyId, keyType, tenant }: Principal, address: () => string): void {
    if (!isApiKey || keyType === 'operator') return;
    const now = this.#now();
    const noted = this.#keys.get(keyId);
    if (noted ? now - noted.use.used_at_ms < NOTED_EVERY_MS : this.#keys.size >= KEYS_MAX) return;
    // The callers of a publishable key are shoppers, whose addresses are no business of the merchant's.
    const from = keyType === 'secret' ? address() || null : null;
    const use = { store_id: tenant.store, key_id: keyId, used_at_ms: now, address: from };
    if (noted) Object.assign(noted, { use, isReported: false });
    else this.#keys.set(keyId, { use, isReported: false, reportedAtMs: 0 });
  }

  async report(): Promise<void> {
    const now = this.#now();
    await this.#send(now, ({ reportedAtMs }) => now - reportedAtMs >= REPORTED_EVERY_MS);
    for (const [keyId, { isReported, reportedAtMs }] of this.#keys)
      if (isReported && now - reportedAtMs >= REPORTED_EVERY_MS) this.#keys.delete(keyId);
  }

  async close(): Promise<void> {
    await this.#send(this.#now(), () => true);
  }

  async #send(now: number, isDue: (noted: NotedKey) => boolean): Promise<void> {
    const due = this.#keys.values().filter((noted) => !noted.isReported && isDue(noted));
    const uses = [...due].map((noted) => {
      noted.isReported = true;
      noted.reportedAtMs = now;
      return noted.use;
    });
    for (let at = 0; at < uses.length; at += USES_PER_CALL_MAX) await this.#ask(uses.slice(at, at + USES_PER_CALL_MAX));
  }

  async #ask(uses: readonly KeyUse[]): Promise<void> {
    const call = { caller: EDGE_CALLER, timeoutMs: TIMEOUT_MS, write: true };
    const answer = await ownCall(this.#wire, 'StoreDirectory/RecordKeyUses', { uses: [...uses] }, call).catch(
      (problem: unknown) => problem,
    );
    if (answer instanceof Refusal || answer instanceof Error)
      this.#log.debug({ err: answer, keys: uses.length }, 'failed to record the uses of keys');
  }
}
