// What this edge holds of one limit's window: tokens that its owner has granted, each good for one request.
import { type Scope, type Window, windowAt } from '#values/window.ts';

/** How a scope is treated. */
interface Treatment {
  /** Shown in `X-RateLimit-*` as one of the plan's windows. */
  readonly plan: boolean;
  /** A refusal beats a guess: without its owner no request passes. */
  readonly closed: boolean;
  /** Its owner is asked for each request. */
  readonly exact: boolean;
  /** Outlives its window: a known key holds on to it. */
  readonly lasting: boolean;
  /** Tokens asked for at first, beside those that are needed. */
  readonly wantAtFirst: number;
}

const PLAN: Treatment = { plan: true, closed: false, exact: false, lasting: true, wantAtFirst: 1_024 };
const EXACT: Treatment = { plan: false, closed: true, exact: true, lasting: false, wantAtFirst: 0 };

const TREATMENT: Readonly<Record<Scope, Treatment>> = {
  key_hour: PLAN,
  key_day: PLAN,
  month: PLAN,
  // Most shoppers come for a few pages, and there are many of them.
  network_hour: { ...PLAN, lasting: false, wantAtFirst: 32 },
  review_hour: { ...PLAN, plan: false, lasting: false, wantAtFirst: 32 },
  payment_hour: { ...EXACT, closed: false },
  auth_minute: EXACT,
  reset_address: EXACT,
  reset_pair: EXACT,
};

/** Requests of so many seconds are asked for at once: at half of it, once in two seconds. */
const AHEAD_S = 4;
/** Fewer are never asked for: a crash loses no more than these of a quiet scope. */
const WANT_MIN = 32;
const WANT_MAX = 1 << 20;
/** A guess from very few requests grows by steps. */
const GROWTH_MAX = 8;
const SCARCE = 16;

/** What the owner said. */
export interface Grant extends Window {
  readonly granted: number;
  readonly left: number;
}

export class RateLease {
  readonly store: string;
  readonly scope: Scope;
  /** The key's id, the network, the address; empty for the store's month. */
  readonly subject: string;
  readonly treatment: Treatment;
  /** Requests a window; 0 where it is counted but not limited. */
  limit: number;
  /** The window, in Unix seconds; none at first. */
  start = 0;
  end = 0;
  /** Requests that may pass without asking. */
  tokens = 0;
  /** What the owner had left when it last spoke; all of it before that. */
  left = 0;
  /** Requests admitted in this window. */
  spent = 0;
  /** Of those, told to the owner. */
  told = 0;
  /** More are asked for at this many. */
  askAt = -1;
  /** The owner has none left. */
  dry = false;
  /** The owner cannot be reached: what was left when it last spoke is drawn on. */
  adrift = false;
  /** Requests that wait for tokens. */
  waiting = 0;
  asking: Promise<boolean> | null = null;
  /** Monotonic, of the last question. */
  askedAtMs = Number.NEGATIVE_INFINITY;
  /** Tokens are to be given back once the question under way is answered. */
  recalled = false;
  /** Rises when what was granted before is void. */
  term = 0;
  #want: number;
  #spentAtAsk = 0;

  constructor(store: string, scope: Scope, subject: string, limit: number) {
    this.store = store;
    this.scope = scope;
    this.subject = subject;
    this.limit = limit;
    this.treatment = TREATMENT[scope];
    this.#want = this.treatment.wantAtFirst;
  }

  get remaining(): number {
    return this.tokens + this.left;
  }

  /** Begins the window that is open now; nothing is known of it yet. */
  begin(nowMs: number): void {
    this.#open(windowAt(this.scope, nowMs));
  }

  /** Another limit holds from now on: what was granted under the old one is given back with the next question. */
  changeLimit(limit: number): void {
    if (limit === this.limit) return;
    this.limit = limit;
    this.#void();
  }

  /** One request passes. */
  spend(): void {
    if (this.tokens > 0) this.tokens--;
    else this.left--;
    this.spent++;
  }

  /** One that passed costs nothing after all. */
  refund(): void {
    if (this.spent === 0) return;
    this.spent--;
    if (this.limit > 0) this.tokens++;
  }

  /** Holds on to so many tokens; the others are as good as the owner's. */
  keep(tokens: number): void {
    if (this.limit === 0 || this.tokens <= tokens) return;
    this.left += this.tokens - tokens;
    this.tokens = tokens;
  }

  /** How many to ask for beside those that are needed: what some seconds will use, as far as can be told. */
  wish(nowMs: number): number {
    if (this.treatment.exact || this.limit === 0) return 0;
    const elapsedS = (nowMs - this.askedAtMs) / 1_000;
    if (elapsedS < Number.POSITIVE_INFINITY) {
      const rate = (this.spent - this.#spentAtAsk) / Math.max(elapsedS, 0.001);
      const fit = Math.max(WANT_MIN, Math.ceil(rate * AHEAD_S));
      this.#want = Math.min(fit, this.#want * GROWTH_MAX, WANT_MAX);
    }
    return this.#want;
  }

  /** Tokens far beyond what is used up soon: another edge may need them. */
  surplus(nowMs: number): number {
    if (this.limit === 0 || this.treatment.exact) return 0;
    const elapsedS = (nowMs - this.askedAtMs) / 1_000;
    if (elapsedS < 1) return 0;
    const keep = Math.max(WANT_MIN, Math.ceil(((this.spent - this.#spentAtAsk) / elapsedS) * AHEAD_S));
    return this.tokens > 2 * keep ? this.tokens - keep : 0;
  }

  asked(nowMs: number): void {
    this.askedAtMs = nowMs;
    this.#spentAtAsk = this.spent;
  }

  /** The owner's answer to a question that told `spent`. False: it speaks of a window that is over here. */
  learn({ start, end, granted, left }: Grant, told: number): boolean {
    if (start < this.start) return false;
    if (start > this.start) this.#open({ start, end });
    else this.told = told;
    this.left = left;
    this.adrift = false;
    this.dry = left === 0 && granted === 0 && this.tokens === 0 && this.limit > 0;
    if (this.limit > 0) {
      this.tokens += granted;
      // Of so few no edge is granted any before it needs them.
      this.askAt = this.treatment.exact || left < SCARCE ? -1 : Math.floor(this.tokens / 2);
    }
    return true;
  }

  #open({ start, end }: Window): void {
    this.start = start;
    this.end = end;
    this.spent = 0;
    this.told = 0;
    this.#spentAtAsk = 0;
    this.adrift = false;
    this.#void();
  }

  #void(): void {
    this.term++;
    this.tokens = this.limit === 0 ? Number.POSITIVE_INFINITY : 0;
    this.left = Math.max(0, this.limit - this.spent);
    this.askAt = -1;
    this.dry = false;
  }
}
