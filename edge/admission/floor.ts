// What one endpoint takes where nothing waits: the least that it took lately. Without this a search would look like a queue,
// and a queue before a cached page like nothing.

const PERIOD_MS = 30_000;
/** A floor that is outlived rises slowly: a queue that stands for an hour must not become what is normal. */
const RISE = 1.25;

export class LatencyFloor {
  #floor = Number.POSITIVE_INFINITY;
  #least = Number.POSITIVE_INFINITY;
  #untilMs = 0;

  get ms(): number {
    return this.#floor === Number.POSITIVE_INFINITY ? 0 : this.#floor;
  }

  note(nowMs: number, tookMs: number): void {
    if (tookMs < this.#least) this.#least = tookMs;
    if (tookMs < this.#floor) this.#floor = tookMs;
    if (nowMs < this.#untilMs) return;
    if (this.#untilMs > 0) this.#floor = Math.min(this.#least, this.#floor * RISE);
    this.#least = tookMs;
    this.#untilMs = nowMs + PERIOD_MS;
  }
}
