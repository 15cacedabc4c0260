// The time without any services host: answers that were fresh when the last one was lost are served on for a while, marked as
// stale. No host could say that they changed.

const STALE_MS = 60_000;

export class Outage {
  readonly #forget: () => void;
  readonly #now: () => number;
  /** When the last host was lost; null while a host serves. */
  #sinceMs: number | null = null;
  #forgotten = false;

  /** `forget` drops all that a host would have said to be stale. */
  constructor(forget: () => void, now: () => number = () => performance.now()) {
    this.#forget = forget;
    this.#now = now;
  }

  /** A link was lost or is back. `serving`: some host serves. */
  linkChanged(serving: boolean): void {
    if (serving) {
      this.#sinceMs = null;
      this.#forget();
    } else if (this.#sinceMs === null) {
      this.#sinceMs = this.#now();
      this.#forgotten = false;
    }
  }

  /** Whether answers are served that may be stale by now. */
  get stale(): boolean {
    if (this.#sinceMs === null || this.#forgotten) return false;
    if (this.#now() - this.#sinceMs < STALE_MS) return true;
    this.#forgotten = true;
    this.#forget();
    return false;
  }
}
