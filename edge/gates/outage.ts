// Tracks how long no services host is connected. Cached responses that were fresh at the start are served for 60
// seconds, marked as stale, because no host can report changes.

const STALE_MS = 60_000;

export class Outage {
  readonly #invalidate: () => void;
  readonly #now: () => number;
  #sinceMs: number | null = null;
  #invalidated = false;

  constructor(invalidate: () => void, now: () => number = () => performance.now()) {
    this.#invalidate = invalidate;
    this.#now = now;
  }

  /** Reports a lost or restored link. `serving` tells whether some host serves. */
  linkChanged(serving: boolean): void {
    if (serving) {
      this.#sinceMs = null;
      this.#invalidate();
    } else if (this.#sinceMs === null) {
      this.#sinceMs = this.#now();
      this.#invalidated = false;
    }
  }

  /** Whether responses may be served although they may be stale. Invalidates the caches when the period ends. */
  get stale(): boolean {
    if (this.#sinceMs === null || this.#invalidated) return false;
    if (this.#now() - this.#sinceMs < STALE_MS) return true;
    this.#invalidated = true;
    this.#invalidate();
    return false;
  }
}
