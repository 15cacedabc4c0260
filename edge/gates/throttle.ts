// Counts requests against a plan's fixed windows and the operations' own limits (specification, "Limits").
// Counting is local and exact here; what was counted is reported to the store's ledger of use, which answers what all
// edges together have counted.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call.ts';

const HOUR_S = 3_600;
const DAY_S = 86_400;
const MINUTE_S = 60;

export type Scope = 'key_hour' | 'key_day' | 'network_hour' | 'month' | 'payment_hour' | 'review_hour' | 'auth_minute';

/** The scopes that outlive this process; the others are short or particular to an edge. */
const REPORTED: ReadonlySet<Scope> = new Set(['key_hour', 'key_day', 'network_hour', 'month']);

const WINDOW_S: Readonly<Record<Exclude<Scope, 'month'>, number>> = {
  key_hour: HOUR_S,
  key_day: DAY_S,
  network_hour: HOUR_S,
  payment_hour: HOUR_S,
  review_hour: HOUR_S,
  auth_minute: MINUTE_S,
};

/** Limits of operations, the same for every plan. */
const PAYMENTS_PER_HOUR = 100;
const REVIEW_READS_PER_HOUR = 600;
const AUTH_PER_MINUTE = 10;

/** Networks counted at once a store; past it the oldest is forgotten. */
const COUNTERS_MAX = 200_000;

function monthOf(nowS: number): { start: number; end: number } {
  const now = new Date(nowS * 1000);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: Date.UTC(year, month) / 1000, end: Date.UTC(year, month + 1) / 1000 };
}

/** One fixed window of one subject. */
export class Counter {
  readonly scope: Scope;
  /** The key's id, the network, or empty for the store's month. */
  readonly subject: string;
  /** Requests a window; 0 where it is counted but not limited. */
  limit: number;
  start = 0;
  end = 0;
  count = 0;
  unreported = 0;

  constructor(scope: Scope, subject: string, limit: number) {
    this.scope = scope;
    this.subject = subject;
    this.limit = limit;
  }

  /** Begins a new window when the old one has ended. */
  at(nowS: number): this {
    if (nowS >= this.end) {
      if (this.scope === 'month') ({ start: this.start, end: this.end } = monthOf(nowS));
      else {
        const length = WINDOW_S[this.scope];
        this.start = Math.floor(nowS / length) * length;
        this.end = this.start + length;
      }
      this.count = 0;
      this.unreported = 0;
    }
    return this;
  }

  get full(): boolean {
    return this.limit > 0 && this.count >= this.limit;
  }

  get remaining(): number {
    return Math.max(0, this.limit - this.count);
  }

  add(count: number): void {
    this.count += count;
    this.unreported += count;
  }
}

/** What a plan admits; 0 where it does not limit. */
export interface PlanLimits {
  readonly key_hour: number;
  readonly key_day: number;
  readonly network_hour: number;
  readonly month: number;
}

export interface Subject {
  readonly storeId: string;
  readonly keyId: string;
  readonly publishable: boolean;
  readonly sandbox: boolean;
  readonly limits: PlanLimits;
}

/** The counters that one request is charged to. */
export interface Charge {
  readonly counters: readonly Counter[];
  /** The plan window with the least left; null where nothing is metered. */
  readonly tightest: Counter | null;
}

export class Throttle {
  /** Per store, then `scope subject`. */
  readonly #counters = new Map<string, Map<string, Counter>>();
  #size = 0;

  counter(storeId: string, scope: Scope, subject: string, limit: number): Counter {
    let store = this.#counters.get(storeId);
    if (!store) {
      store = new Map();
      this.#counters.set(storeId, store);
    }
    const key = `${scope} ${subject}`;
    let counter = store.get(key);
    if (!counter) {
      if (this.#size >= COUNTERS_MAX) this.#forgetOldest(store);
      counter = new Counter(scope, subject, limit);
      store.set(key, counter);
      this.#size++;
    }
    counter.limit = limit;
    return counter;
  }

  /** The counters of a key that every one of its requests meets. */
  planCounters(subject: Subject): Counter[] {
    const { storeId, keyId, limits } = subject;
    const counters = [
      this.counter(storeId, 'key_hour', keyId, limits.key_hour),
      this.counter(storeId, 'key_day', keyId, limits.key_day),
    ];
    if (!subject.sandbox) counters.push(this.counter(storeId, 'month', '', limits.month));
    return counters;
  }

  /** Charges all counters or none. */
  charge(counters: readonly Counter[], nowS: number): Charge | Refusal {
    let tightest: Counter | null = null;
    for (const counter of counters) {
      if (counter.at(nowS).full) return throttled(counter, nowS);
      if (
        counter.limit > 0 &&
        (tightest === null || counter.remaining < tightest.remaining) &&
        REPORTED.has(counter.scope)
      )
        tightest = counter;
    }
    for (const counter of counters) counter.add(1);
    return { counters, tightest };
  }

  /** A replay costs nothing. */
  refund(charge: Charge): void {
    for (const counter of charge.counters) if (counter.count > 0) counter.add(-1);
  }

  /** What was counted since the last report; it is then considered reported. */
  takeUnreported(): UsageEntry[] {
    const report: UsageEntry[] = [];
    for (const [store, counters] of this.#counters)
      for (const counter of counters.values()) {
        // Refunds of what is already reported wait for the next request.
        if (counter.unreported <= 0 || !REPORTED.has(counter.scope)) continue;
        const { scope, subject, start, unreported } = counter;
        report.push({ store, scope, subject, window_start: start, count: unreported });
        counter.unreported = 0;
      }
    return report;
  }

  /** A report that did not arrive is reported again, unless its window has ended. */
  putBack(entries: readonly UsageEntry[]): void {
    for (const entry of entries) {
      const counter = this.#find(entry);
      if (counter?.start === entry.window_start) counter.unreported += entry.count;
    }
  }

  /** What all edges together have counted: ours is that plus what we have not yet reported. */
  learn(entries: readonly UsageEntry[], nowS: number): void {
    for (const entry of entries) {
      const counter = this.#find(entry);
      if (counter?.at(nowS).start === entry.window_start) counter.count = entry.count + counter.unreported;
    }
  }

  #find({ store, scope, subject }: UsageEntry): Counter | undefined {
    return this.#counters.get(store)?.get(`${scope} ${subject}`);
  }

  /** Forgets counters whose window has ended and that nobody counts on. */
  sweep(nowS: number): void {
    for (const [storeId, counters] of this.#counters) {
      for (const [key, counter] of counters)
        if (counter.end > 0 && nowS >= counter.end && counter.unreported <= 0 && !PERMANENT.has(counter.scope)) {
          counters.delete(key);
          this.#size--;
        }
      if (counters.size === 0) this.#counters.delete(storeId);
    }
  }

  #forgetOldest(store: Map<string, Counter>): void {
    for (const [key, counter] of store) {
      if (PERMANENT.has(counter.scope)) continue;
      store.delete(key);
      this.#size--;
      return;
    }
  }
}

/** A known key holds on to these. */
const PERMANENT: ReadonlySet<Scope> = new Set(['key_hour', 'key_day', 'month']);

/** One counter of one window, as it is reported. */
export interface UsageEntry {
  readonly store: string;
  readonly scope: Scope;
  readonly subject: string;
  /** Unix seconds. */
  readonly window_start: number;
  readonly count: number;
}

/** The counters of a route's own limit, beside the plan's. */
export function operationCounter(
  throttle: Throttle,
  limit: Route['limit'],
  storeId: string,
  keyId: string,
  address: string,
): Counter | null {
  switch (limit) {
    case 'payment':
      return throttle.counter(storeId, 'payment_hour', keyId, PAYMENTS_PER_HOUR);
    case 'review':
      return throttle.counter(storeId, 'review_hour', keyId, REVIEW_READS_PER_HOUR);
    case 'auth':
      return throttle.counter(storeId, 'auth_minute', address, AUTH_PER_MINUTE);
    default:
      return null;
  }
}

const throttledBy = new WeakMap<Refusal, Counter>();

/** The counter that refused, of a refusal made here. */
export const counterOf = (refusal: Refusal): Counter | undefined => throttledBy.get(refusal);

function throttled(counter: Counter, nowS: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(counter.end - nowS));
  const refusal =
    counter.scope === 'month'
      ? refuse('quota_exceeded', 'The plan’s monthly allowance is used up.', {
          details: `The allowance is ${counter.limit} requests a month and begins anew on the first (UTC).`,
          retryAfterS,
        })
      : refuse('rate_limited', 'Too many requests.', {
          details: `The limit is ${counter.limit} requests in this window.`,
          retryAfterS,
        });
  throttledBy.set(refusal, counter);
  return refusal;
}
