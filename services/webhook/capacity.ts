// Bounds concurrent delivery attempts per endpoint and in total. Slow endpoints have a bound of their own, so that they
// cannot block fast ones.
import { RecentMap } from '#values/recent_map.ts';

export interface CapacityLimits {
  readonly perEndpoint: number;
  readonly fast: number;
  readonly slow: number;
}

const LIMITS: CapacityLimits = { perEndpoint: 8, fast: 256, slow: 256 };
export const SLOW_MS = 2_000;
/** Maximum number of slow endpoints remembered; a forgotten one is detected again. */
const REMEMBERED_MAX = 20_000;

interface RunningAttempt {
  slow: boolean;
}

export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #running = new Map<string, number>();
  readonly #slow = new RecentMap<string, true>(REMEMBERED_MAX);
  #fastRunning = 0;
  #slowRunning = 0;

  constructor(limits: CapacityLimits = LIMITS) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#fastRunning + this.#slowRunning;
  }

  get fastCapacityLeft(): number {
    return Math.max(0, this.#limits.fast - this.#fastRunning);
  }

  capacityOf(endpoint: string): number {
    const running = this.#running.get(endpoint) ?? 0;
    if (this.#slow.has(endpoint)) return running === 0 && this.#slowRunning < this.#limits.slow ? 1 : 0;
    return Math.max(0, Math.min(this.#limits.perEndpoint - running, this.fastCapacityLeft));
  }

  begin(endpoint: string): RunningAttempt {
    this.#running.set(endpoint, (this.#running.get(endpoint) ?? 0) + 1);
    const slot = { slow: this.#slow.has(endpoint) };
    if (slot.slow) this.#slowRunning++;
    else this.#fastRunning++;
    return slot;
  }

  /** Counts a running attempt as slow, which frees capacity for fast ones. */
  markSlow(endpoint: string, slot: RunningAttempt): void {
    this.#slow.set(endpoint, true);
    if (slot.slow) return;
    slot.slow = true;
    this.#fastRunning--;
    this.#slowRunning++;
  }

  end(endpoint: string, slot: RunningAttempt, tookMs: number): void {
    const running = (this.#running.get(endpoint) ?? 1) - 1;
    if (running > 0) this.#running.set(endpoint, running);
    else this.#running.delete(endpoint);
    if (slot.slow) this.#slowRunning--;
    else this.#fastRunning--;
    if (tookMs < SLOW_MS) this.#slow.delete(endpoint);
    else this.#slow.set(endpoint, true);
  }
}
