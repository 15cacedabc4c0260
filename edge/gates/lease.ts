// Holds the tokens that this edge leased from a rate limit's owner for the current window; each request spends one.
import { type Scope, type Window, windowAt } from '#values/window.ts';

interface ScopePolicy {
  readonly isPlanWindow: boolean;
  /** Whether requests are refused while the owner is unreachable. */
  readonly failClosed: boolean;
  readonly asksEachTime: boolean;
  /** Whether the lease is kept after its window, because a cached principal refers to it. */
  readonly survivesWindow: boolean;
  readonly initialSpareTokens: number;
}

const PLAN: ScopePolicy = {
  isPlanWindow: true,
  failClosed: false,
  asksEachTime: false,
  survivesWindow: true,
  initialSpareTokens: 1_024,
};
const EXACT: ScopePolicy = {
  isPlanWindow: false,
  failClosed: true,
  asksEachTime: true,
  survivesWindow: false,
  initialSpareTokens: 0,
};

const SCOPE_POLICY: Readonly<Record<Scope, ScopePolicy>> = {
  key_hour: PLAN,
  key_day: PLAN,
  month: PLAN,
  network_hour: { ...PLAN, survivesWindow: false, initialSpareTokens: 32 },
  review_hour: { ...PLAN, isPlanWindow: false, survivesWindow: false, initialSpareTokens: 32 },
  payment_hour: { ...EXACT, failClosed: false },
  auth_minute: EXACT,
  reset_address: EXACT,
  reset_pair: EXACT,
};

/**
 * Seconds of traffic that one request for tokens covers. Half-empty leases are refilled, so an edge asks every 2
 * seconds.
 */
const REFILL_AHEAD_S = 4;
const SPARE_TOKENS_MIN = 32;
const SPARE_TOKENS_MAX = 1 << 20;
/** Largest factor between two requests for tokens, because the rate is estimated from few requests at first. */
const GROWTH_MAX = 8;
const SCARCE_TOKENS = 16;

export interface Grant extends Window {
  readonly granted: number;
  readonly left: number;
}

export class RateLease {
  readonly store: string;
  readonly scope: Scope;
  readonly subject: string;
  readonly policy: ScopePolicy;
  /** Requests per window; 0 counts requests without limiting them. */
  limit: number;
  /** Bounds of the window in Unix seconds; 0 before the first window. */
  start = 0;
  end = 0;
  tokens = 0;
  /** Number of tokens that the owner had left at its last answer. Equals the limit before the first answer. */
  ownerTokens = 0;
  admitted = 0;
  reportedAdmitted = 0;
  /** Number of tokens at which more are requested; -1 if none are. */
  refillAt = -1;
  exhausted = false;
  /** While true, requests spend `ownerTokens`. */
  ownerUnreachable = false;
  waitingRequests = 0;
  pendingRequest: Promise<boolean> | null = null;
  requestedAtMs = Number.NEGATIVE_INFINITY;
  returnsAfterPending = false;
  grantEpoch = 0;
  #spareTokens: number;
  #admittedAtRequest = 0;

  constructor(store: string, scope: Scope, subject: string, limit: number) {
    this.store = store;
    this.scope = scope;
    this.subject = subject;
    this.limit = limit;
    this.policy = SCOPE_POLICY[scope];
    this.#spareTokens = this.policy.initialSpareTokens;
  }

  get remaining(): number {
    return this.tokens + this.ownerTokens;
  }

  openWindow(nowMs: number): void {
    this.#open(windowAt(this.scope, nowMs));
  }

  /**
   * Changes the limit. Drops the tokens that were leased under the old limit; the next request to the owner reports these
   * as unspent.
   */
  changeLimit(limit: number): void {
    if (limit === this.limit) return;
    this.limit = limit;
    this.#voidTokens();
  }

  spend(): void {
    if (this.tokens > 0) this.tokens--;
    else this.ownerTokens--;
    this.admitted++;
  }

  refund(): void {
    if (this.admitted === 0) return;
    this.admitted--;
    if (this.limit > 0) this.tokens++;
  }

  keepAtMost(tokens: number): void {
    if (this.limit === 0 || this.tokens <= tokens) return;
    this.ownerTokens += this.tokens - tokens;
    this.tokens = tokens;
  }

  tokensToRequest(nowMs: number): number {
    if (this.policy.asksEachTime || this.limit === 0) return 0;
    const elapsedS = (nowMs - this.requestedAtMs) / 1_000;
    if (elapsedS < Number.POSITIVE_INFINITY) {
      const rate = (this.admitted - this.#admittedAtRequest) / Math.max(elapsedS, 0.001);
      const fit = Math.max(SPARE_TOKENS_MIN, Math.ceil(rate * REFILL_AHEAD_S));
      this.#spareTokens = Math.min(fit, this.#spareTokens * GROWTH_MAX, SPARE_TOKENS_MAX);
    }
    return this.#spareTokens;
  }

  /** Returns the number of tokens that this edge does not need soon; other edges can use them. */
  surplus(nowMs: number): number {
    if (this.limit === 0 || this.policy.asksEachTime) return 0;
    const elapsedS = (nowMs - this.requestedAtMs) / 1_000;
    if (elapsedS < 1) return 0;
    const keep = Math.max(
      SPARE_TOKENS_MIN,
      Math.ceil(((this.admitted - this.#admittedAtRequest) / elapsedS) * REFILL_AHEAD_S),
    );
    return this.tokens > 2 * keep ? this.tokens - keep : 0;
  }

  noteRequest(nowMs: number): void {
    this.requestedAtMs = nowMs;
    this.#admittedAtRequest = this.admitted;
  }

  /**
   * Applies the owner's answer. `reported` is the count of admitted requests that the call reported. Returns false if
   * the window has ended here.
   */
  applyGrant({ start, end, granted, left }: Grant, reported: number): boolean {
    if (start < this.start) return false;
    if (start > this.start) this.#open({ start, end });
    else this.reportedAdmitted = reported;
    this.ownerTokens = left;
    this.ownerUnreachable = false;
    this.exhausted = left === 0 && granted === 0 && this.tokens === 0 && this.limit > 0;
    if (this.limit > 0) {
      this.tokens += granted;
      // With fewer tokens left the owner grants only what waiting requests need.
      this.refillAt = this.policy.asksEachTime || left < SCARCE_TOKENS ? -1 : Math.floor(this.tokens / 2);
    }
    return true;
  }

  #open({ start, end }: Window): void {
    this.start = start;
    this.end = end;
    this.admitted = 0;
    this.reportedAdmitted = 0;
    this.#admittedAtRequest = 0;
    this.ownerUnreachable = false;
    this.#voidTokens();
  }

  #voidTokens(): void {
    this.grantEpoch++;
    this.tokens = this.limit === 0 ? Number.POSITIVE_INFINITY : 0;
    this.ownerTokens = Math.max(0, this.limit - this.admitted);
    this.refillAt = -1;
    this.exhausted = false;
  }
}
