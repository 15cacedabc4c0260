// Tracks how many calls each store has in progress in a lane. A full lane still admits stores below their equal share,
// so that a busy store does not shut out others.

const REMEMBERED_MS = 1_000;
/** Maximum number of stores counted separately; all further stores share one count. */
const STORES_MAX = 10_000;
const OTHERS = '';

interface StoreLoad {
  inFlight: number;
  seenAtMs: number;
}

export class FairShare {
  readonly #loads = new Map<string, StoreLoad>();
  #sweptAtMs = 0;

  isBelowShare(store: string, limit: number): boolean {
    const load = this.#loads.get(store);
    const stores = this.#loads.size + (load ? 0 : 1);
    return stores > 1 && (load?.inFlight ?? 0) < Math.max(1, Math.floor(limit / stores));
  }

  enter(requested: string, nowMs: number): string {
    if (nowMs - this.#sweptAtMs > REMEMBERED_MS) this.#sweep(nowMs);
    const store = this.#loads.has(requested) || this.#loads.size < STORES_MAX ? requested : OTHERS;
    const load = this.#loads.get(store);
    if (load) {
      load.inFlight++;
      load.seenAtMs = nowMs;
    } else this.#loads.set(store, { inFlight: 1, seenAtMs: nowMs });
    return store;
  }

  leave(store: string): void {
    const load = this.#loads.get(store);
    if (load) load.inFlight--;
  }

  #sweep(nowMs: number): void {
    this.#sweptAtMs = nowMs;
    for (const [store, { inFlight, seenAtMs }] of this.#loads)
      if (inFlight === 0 && nowMs - seenAtMs > REMEMBERED_MS) this.#loads.delete(store);
  }
}
