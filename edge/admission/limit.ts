// How many requests of one lane may be under way: adapted so that the time for which they wait stays short. As long as there
// is no standing queue nothing is limited but memory. A queue that stands is told from a burst by the median of a window's
// requests, a few windows in a row; the limit then begins at what the measured rate carries within the wanted time (Little's
// law), shrinks by the gradient of wanted to measured time, and grows again by about its square root.

export interface LimitRule {
  /** Waiting that is put up with, beside what an endpoint takes by itself. */
  readonly slackMs: number;
  /** Once limited, never to fewer: a crowd of this size is always let in. */
  readonly min: number;
  /** Under way at most, even while nothing waits. */
  readonly max: number;
}

export const WINDOW_MS = 100;
/** One window may be a collection of garbage. */
const LATE_WINDOWS = 3;
/** A limit that was far from reached for so long is lifted. */
const CALM_WINDOWS = 10;
const SAMPLES_MIN = 10;
const SAMPLES_MAX = 512;
const GRADIENT_MIN = 0.5;
/** Reached by so much of it, the limit is what held the others back. */
const USED_SHARE = 0.8;
const CALM_SHARE = 0.5;

const medianOf = (samples: readonly number[]): number => samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? 0;

export class AdaptiveLimit {
  readonly #rule: LimitRule;
  #limit: number;
  #limited = false;
  #inFlight = 0;
  // Of the window that is open.
  #startMs = 0;
  #ended = 0;
  #floorsMs = 0;
  #peak = 0;
  #waits: number[] = [];
  // In a row.
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

  /** A queue stands. */
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

  /** `floorMs` is what it takes where nothing waits, `waitedMs` what it took beyond. */
  end(nowMs: number, floorMs: number, waitedMs: number): void {
    this.#inFlight--;
    this.#floorsMs += floorMs;
    if (this.#waits.length < SAMPLES_MAX) this.#waits.push(waitedMs);
    else this.#waits[this.#ended % SAMPLES_MAX] = waitedMs;
    this.#ended++;
    if (nowMs - this.#startMs >= WINDOW_MS) this.#close(nowMs);
  }

  #close(nowMs: number): void {
    // After a rest the rate of a window means nothing.
    const wholeMs = Math.min(nowMs - this.#startMs, 2 * WINDOW_MS);
    if (this.#ended >= SAMPLES_MIN) this.#learn(wholeMs, medianOf(this.#waits));
    else this.#rest();
    this.#startMs = nowMs;
    this.#ended = 0;
    this.#floorsMs = 0;
    this.#peak = this.#inFlight;
    this.#waits = [];
  }

  #learn(windowMs: number, waitedMs: number): void {
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
      this.#rest();
      return;
    }
    this.#calm = 0;
    if (waitedMs > slackMs) this.#set(this.#limit * Math.max(GRADIENT_MIN, slackMs / waitedMs) + 1);
    else if (this.#peak >= this.#limit * USED_SHARE) this.#set(this.#limit + Math.sqrt(this.#limit) / 2);
    if (this.#limit >= max) this.#lift();
  }

  #rest(): void {
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
