// Who has how much of a lane: where it is full, a store below its even share is let in all the same, so that one loud store
// does not shut out the others. What is beyond the limit for that is at most as much again.

const REMEMBERED_MS = 1_000;
/** Stores remembered at once; beyond that they are one. */
const STORES_MAX = 10_000;
const OTHERS = '';

interface Part {
  inFlight: number;
  seenAtMs: number;
}

export class FairShare {
  readonly #parts = new Map<string, Part>();
  #sweptAtMs = 0;

  /** Stores that have something under way, or had a moment ago. */
  get stores(): number {
    return this.#parts.size;
  }

  /** Whether a store may have one more though all have `limit`. */
  below(store: string, limit: number): boolean {
    const part = this.#parts.get(store);
    const stores = this.#parts.size + (part ? 0 : 1);
    return stores > 1 && (part?.inFlight ?? 0) < Math.max(1, Math.floor(limit / stores));
  }

  /** Who is to be given back with `leave`. */
  enter(named: string, nowMs: number): string {
    if (nowMs - this.#sweptAtMs > REMEMBERED_MS) this.#sweep(nowMs);
    const store = this.#parts.has(named) || this.#parts.size < STORES_MAX ? named : OTHERS;
    const part = this.#parts.get(store);
    if (part) {
      part.inFlight++;
      part.seenAtMs = nowMs;
    } else this.#parts.set(store, { inFlight: 1, seenAtMs: nowMs });
    return store;
  }

  leave(store: string): void {
    const part = this.#parts.get(store);
    if (part) part.inFlight--;
  }

  #sweep(nowMs: number): void {
    this.#sweptAtMs = nowMs;
    for (const [store, { inFlight, seenAtMs }] of this.#parts)
      if (inFlight === 0 && nowMs - seenAtMs > REMEMBERED_MS) this.#parts.delete(store);
  }
}
