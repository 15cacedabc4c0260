// Measures how long no services host has been connected. For 60 seconds responses that were fresh at the start are
// served and marked as stale, because no host can report changes.

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

  /** Records that the link was lost or restored. `serving` is true if at least one host is connected. */
  linkChanged(serving: boolean): void {
    if (serving) {
      this.#sinceMs = null;
      this.#invalidate();
    } else if (this.#sinceMs === null) {
      this.#sinceMs = this.#now();
      this.#invalidated = false;
    }
  }

  /** Whether possibly stale responses may be served. The first call after the 60 seconds invalidates the caches. */
  get stale(): boolean {
    if (this.#sinceMs === null || this.#invalidated) return false;
    if (this.#now() - this.#sinceMs < STALE_MS) return true;
    this.#invalidated = true;
    this.#invalidate();
    return false;
  }
}
