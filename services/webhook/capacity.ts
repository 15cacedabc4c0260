// How many deliveries are attempted at once: a few to each endpoint, one to those that are slow, and so many in all that
// slow ones never take the room of the others.

export interface CapacityLimits {
  readonly perEndpoint: number;
  /** Attempts that have not become slow yet. */
  readonly brisk: number;
  /** Attempts to endpoints that are known to be slow. */
  readonly slow: number;
}

const LIMITS: CapacityLimits = { perEndpoint: 8, brisk: 256, slow: 256 };
/** Who lets an attempt wait for so long is slow until the next one goes faster. */
export const SLOW_MS = 2_000;
/** Endpoints remembered as slow; who is forgotten is found out again. */
const REMEMBERED_MAX = 20_000;

interface Slot {
  /** Counts as slow, from the start or since it took so long. */
  slow: boolean;
}

export class Capacity {
  readonly #limits: CapacityLimits;
  readonly #running = new Map<string, number>();
  readonly #slow = new Set<string>();
  #brisk = 0;
  #slowRunning = 0;

  constructor(limits: CapacityLimits = LIMITS) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#brisk + this.#slowRunning;
  }

  /** Whether anything at all may begin. */
  get left(): number {
    return Math.max(0, this.#limits.brisk - this.#brisk);
  }

  /** How many attempts to this endpoint may begin now. */
  room(endpoint: string): number {
    const running = this.#running.get(endpoint) ?? 0;
    if (this.#slow.has(endpoint)) return running === 0 && this.#slowRunning < this.#limits.slow ? 1 : 0;
    return Math.max(0, Math.min(this.#limits.perEndpoint - running, this.left));
  }

  begin(endpoint: string): Slot {
    this.#running.set(endpoint, (this.#running.get(endpoint) ?? 0) + 1);
    const slot = { slow: this.#slow.has(endpoint) };
    if (slot.slow) this.#slowRunning++;
    else this.#brisk++;
    return slot;
  }

  /** It takes long: from here on it holds no other up. */
  slowDown(endpoint: string, slot: Slot): void {
    this.#remember(endpoint);
    if (slot.slow) return;
    slot.slow = true;
    this.#brisk--;
    this.#slowRunning++;
  }

  end(endpoint: string, slot: Slot, tookMs: number): void {
    const running = (this.#running.get(endpoint) ?? 1) - 1;
    if (running > 0) this.#running.set(endpoint, running);
    else this.#running.delete(endpoint);
    if (slot.slow) this.#slowRunning--;
    else this.#brisk--;
    if (tookMs < SLOW_MS) this.#slow.delete(endpoint);
    else this.#remember(endpoint);
  }

  #remember(endpoint: string): void {
    this.#slow.add(endpoint);
    if (this.#slow.size <= REMEMBERED_MAX) return;
    for (const oldest of this.#slow) {
      this.#slow.delete(oldest);
      break;
    }
  }
}
