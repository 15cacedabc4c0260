// Tracks an endpoint's recent minimum latency, that is its time without queueing. Without it a slow search would look
// like a queue.

const PERIOD_MS = 30_000;
/** An outdated floor rises slowly, so that a queue of an hour does not become normal. */
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
