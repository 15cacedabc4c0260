// Holds this edge's share of one rate-limit window: tokens granted by the limit's owner, one per request.
import { type Scope, type Window, windowAt } from '#values/window.ts';

interface ScopePolicy {
  /** Whether `X-RateLimit-*` headers may show it as a window of the plan. */
  readonly plan: boolean;
  /** Whether requests are refused while the owner is unreachable. */
  readonly failClosed: boolean;
  /** Whether the owner is asked for each single request. */
  readonly exact: boolean;
  /** Whether the lease survives its window because a cached key refers to it. */
  readonly pinned: boolean;
  /** Spare tokens in the first request to the owner. */
  readonly initialWant: number;
}

const PLAN: ScopePolicy = { plan: true, failClosed: false, exact: false, pinned: true, initialWant: 1_024 };
const EXACT: ScopePolicy = { plan: false, failClosed: true, exact: true, pinned: false, initialWant: 0 };

const SCOPE_POLICY: Readonly<Record<Scope, ScopePolicy>> = {
  key_hour: PLAN,
  key_day: PLAN,
  month: PLAN,
  network_hour: { ...PLAN, pinned: false, initialWant: 32 },
  review_hour: { ...PLAN, plan: false, pinned: false, initialWant: 32 },
  payment_hour: { ...EXACT, failClosed: false },
  auth_minute: EXACT,
  reset_address: EXACT,
  reset_pair: EXACT,
};

/** Seconds of traffic per request for tokens. Refilling at half means one request every 2 seconds. */
const AHEAD_S = 4;
const WANT_MIN = 32;
const WANT_MAX = 1 << 20;
/** Limits growth while the rate is estimated from few requests. */
const GROWTH_MAX = 8;
const SCARCE = 16;

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
  /** Tokens left at the owner as of its last answer; the whole limit before the first. */
  left = 0;
  spent = 0;
  /** Part of `spent` that the owner knows. */
  reported = 0;
  /** Token count that triggers a refill; -1 disables it. */
  refillAt = -1;
  exhausted = false;
  /** Whether the owner is unreachable. Requests then use up `left`. */
  ownerUnreachable = false;
  waitingRequests = 0;
  pendingRequest: Promise<boolean> | null = null;
  requestedAtMs = Number.NEGATIVE_INFINITY;
  /** Whether to return tokens once the pending request is answered. */
  recalled = false;
  epoch = 0;
  #want: number;
  #spentAtRequest = 0;

  constructor(store: string, scope: Scope, subject: string, limit: number) {
    this.store = store;
    this.scope = scope;
    this.subject = subject;
    this.limit = limit;
    this.policy = SCOPE_POLICY[scope];
    this.#want = this.policy.initialWant;
  }

  get remaining(): number {
    return this.tokens + this.left;
  }

  openWindow(nowMs: number): void {
    this.#open(windowAt(this.scope, nowMs));
  }

  /** Switches to a new limit. Tokens granted under the old one are reported unused in the next request. */
  changeLimit(limit: number): void {
    if (limit === this.limit) return;
    this.limit = limit;
    this.#voidTokens();
  }

  spend(): void {
    if (this.tokens > 0) this.tokens--;
    else this.left--;
    this.spent++;
  }

  /** Returns the token of a request that turned out to be free. */
  refund(): void {
    if (this.spent === 0) return;
    this.spent--;
    if (this.limit > 0) this.tokens++;
  }

  /** Moves all but `tokens` tokens back to the owner's share. */
  keepAtMost(tokens: number): void {
    if (this.limit === 0 || this.tokens <= tokens) return;
    this.left += this.tokens - tokens;
    this.tokens = tokens;
  }

  tokensToRequest(nowMs: number): number {
    if (this.policy.exact || this.limit === 0) return 0;
    const elapsedS = (nowMs - this.requestedAtMs) / 1_000;
    if (elapsedS < Number.POSITIVE_INFINITY) {
      const rate = (this.spent - this.#spentAtRequest) / Math.max(elapsedS, 0.001);
      const fit = Math.max(WANT_MIN, Math.ceil(rate * AHEAD_S));
      this.#want = Math.min(fit, this.#want * GROWTH_MAX, WANT_MAX);
    }
    return this.#want;
  }

  /** Returns how many tokens exceed the near demand, so that other edges can use them. */
  surplus(nowMs: number): number {
    if (this.limit === 0 || this.policy.exact) return 0;
    const elapsedS = (nowMs - this.requestedAtMs) / 1_000;
    if (elapsedS < 1) return 0;
    const keep = Math.max(WANT_MIN, Math.ceil(((this.spent - this.#spentAtRequest) / elapsedS) * AHEAD_S));
    return this.tokens > 2 * keep ? this.tokens - keep : 0;
  }

  noteRequest(nowMs: number): void {
    this.requestedAtMs = nowMs;
    this.#spentAtRequest = this.spent;
  }

  /**
   * Applies the owner's answer to a request that reported `reported`. Returns false for a window that has already
   * closed here.
   */
  applyGrant({ start, end, granted, left }: Grant, reported: number): boolean {
    if (start < this.start) return false;
    if (start > this.start) this.#open({ start, end });
    else this.reported = reported;
    this.left = left;
    this.ownerUnreachable = false;
    this.exhausted = left === 0 && granted === 0 && this.tokens === 0 && this.limit > 0;
    if (this.limit > 0) {
      this.tokens += granted;
      // Below this the owner grants tokens only for waiting requests.
      this.refillAt = this.policy.exact || left < SCARCE ? -1 : Math.floor(this.tokens / 2);
    }
    return true;
  }

  #open({ start, end }: Window): void {
    this.start = start;
    this.end = end;
    this.spent = 0;
    this.reported = 0;
    this.#spentAtRequest = 0;
    this.ownerUnreachable = false;
    this.#voidTokens();
  }

  #voidTokens(): void {
    this.epoch++;
    this.tokens = this.limit === 0 ? Number.POSITIVE_INFINITY : 0;
    this.left = Math.max(0, this.limit - this.spent);
    this.refillAt = -1;
    this.exhausted = false;
  }
}
