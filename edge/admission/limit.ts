// Adapts the concurrency limit of a lane so that calls wait only briefly. The limit stays at its maximum until the
// median wait exceeds the slack (`slackMs`) in several windows in a row. The limit is then set to the rate of calls times
// the wanted latency (Little's law). In each later window it shrinks in proportion if the median wait is too long, and
// grows by half its square root if it was nearly used up. Some calm windows in a row lift it.

export interface LimitRule {
  readonly slackMs: number;
  readonly min: number;
  readonly max: number;
}

export const WINDOW_MS = 100;
/**
 * Late windows in a row after which the limit applies, since a single one may be a garbage collection; and windows in
 * a row with little use after which it is lifted.
 */
const LATE_WINDOWS = 3;
const CALM_WINDOWS = 10;
const SAMPLES_MIN = 10;
const SAMPLES_MAX = 512;
const GRADIENT_MIN = 0.5;
/** Share of the limit that must have been in use before the limit grows. */
const USED_SHARE = 0.8;
const CALM_SHARE = 0.5;

const medianOf = (samples: readonly number[]): number => samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? 0;

export class AdaptiveLimit {
  readonly #rule: LimitRule;
  #limit: number;
  #limited = false;
  #inFlight = 0;
  #startMs = 0;
  #ended = 0;
  #floorsMs = 0;
  #peak = 0;
  #waits: number[] = [];
  #late = 0;
  #calm = 0;

  constructor(rule: LimitRule) {
    this.#rule = rule;
    this.#limit = rule.max;
  }

  get limit(): number {
    return Math.floor(this.#limit);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get limited(): boolean {
    return this.#limited;
  }

  get full(): boolean {
    return this.#inFlight >= this.limit;
  }

  begin(): void {
    this.#inFlight++;
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight;
  }

  /** Ends a call. `floorMs` is its endpoint's latency without waiting, `waitedMs` the latency beyond that. */
  end(nowMs: number, floorMs: number, waitedMs: number): void {
    this.#inFlight--;
    this.#floorsMs += floorMs;
    if (this.#waits.length < SAMPLES_MAX) this.#waits.push(waitedMs);
    else this.#waits[this.#ended % SAMPLES_MAX] = waitedMs;
    this.#ended++;
    if (nowMs - this.#startMs >= WINDOW_MS) this.#close(nowMs);
  }

  #close(nowMs: number): void {
    const wholeMs = Math.min(nowMs - this.#startMs, 2 * WINDOW_MS);
    if (this.#ended >= SAMPLES_MIN) this.#adapt(wholeMs, medianOf(this.#waits));
    else this.#noteCalmWindow();
    this.#startMs = nowMs;
    this.#ended = 0;
    this.#floorsMs = 0;
    this.#peak = this.#inFlight;
    this.#waits = [];
  }

  #adapt(windowMs: number, waitedMs: number): void {
    const { slackMs, min, max } = this.#rule;
    const late = waitedMs > slackMs && this.#peak > min;
    if (!this.#limited) {
      this.#late = late ? this.#late + 1 : 0;
      if (this.#late < LATE_WINDOWS) return;
      this.#limited = true;
      this.#late = 0;
      this.#calm = 0;
      this.#set((this.#ended / windowMs) * (this.#floorsMs / this.#ended + slackMs));
      return;
    }
    if (this.#peak < this.#limit * CALM_SHARE) {
      this.#noteCalmWindow();
      return;
    }
    this.#calm = 0;
    if (waitedMs > slackMs) this.#set(this.#limit * Math.max(GRADIENT_MIN, slackMs / waitedMs) + 1);
    else if (this.#peak >= this.#limit * USED_SHARE) this.#set(this.#limit + Math.sqrt(this.#limit) / 2);
    if (this.#limit >= max) this.#lift();
  }

  #noteCalmWindow(): void {
    this.#late = 0;
    if (this.#limited && ++this.#calm >= CALM_WINDOWS) this.#lift();
  }

  #lift(): void {
    this.#limited = false;
    this.#calm = 0;
    this.#limit = this.#rule.max;
  }

  #set(limit: number): void {
    this.#limit = Math.min(this.#rule.max, Math.max(this.#rule.min, limit));
  }
}
