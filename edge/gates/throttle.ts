// Counts requests against rate limits. The edge leases tokens from each limit's owner, the `limit` actor, so that most
// requests pass without a call to the owner.
import { EDGE_ORIGIN, type EdgeOrigin, ownCall } from '#edge/own_call.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Caller, LinkClient } from '#runtime/link/frame.ts';
import type { Scope } from '#values/window.ts';
import { RateLease } from './lease.ts';

const PAYMENTS_PER_HOUR = 100;
const REVIEW_READS_PER_HOUR = 600;
const AUTH_PER_MINUTE = 10;

/** Leases in memory; beyond this number the oldest ones are evicted, except those that cached principals refer to. */
const LEASES_MAX = 200_000;
const EVICTED_AT_ONCE = 20_000;

/** Includes the time in which the owner recalls tokens from other edges. */
const ASK_TIMEOUT_MS = 3_000;
/**
 * Applies after an owner did not answer, until one does. Limits that refuse requests without their owner keep the long
 * time-out, since a busy owner may answer late.
 */
const ASK_TIMEOUT_SHORT_MS = 250;
/** Milliseconds between two requests to the owner of an exhausted limit, or to an owner that does not answer. */
const ASK_AGAIN_MS = 1_000;
const RECALL_AGAIN_MS = 5;
const RETURN_PART = 16;
/** Maximum number of unresponsive owners asked again per tick. Once one answers, all are asked. */
const PROBES_MAX = 32;

/** Requests per window; 0 means unlimited. */
export interface PlanLimits {
  readonly key_hour: number;
  readonly key_day: number;
  readonly network_hour: number;
  readonly month: number;
}

export interface ThrottleSubject {
  readonly storeId: string;
  readonly keyId: string;
  readonly sandbox: boolean;
  readonly limits: PlanLimits;
}

export const UNDECIDED = Symbol('undecided');

const UNREACHABLE = refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 });

export class Throttle {
  readonly #wire: LinkClient;
  readonly #edge = `e${crypto.randomUUID().slice(0, 13)}`;
  readonly #callers = new Map<string, Caller>();
  readonly #leases = new Map<TenantKey, RateLease>();
  readonly #used = new Set<RateLease>();
  #sequence = 0;
  #ownerSilent = false;
  generation = 0;
  tokenRequests = 0;
  passedWithoutOwner = 0;

  constructor(wire: LinkClient) {
    this.#wire = wire;
  }

  get size(): number {
    return this.#leases.size;
  }

  lease(store: string, scope: Scope, subject: string, limit: number): RateLease {
    const name = nameOf(store, scope, subject);
    let lease = this.#leases.get(name);
    if (!lease) {
      if (this.#leases.size >= LEASES_MAX) this.#evict();
      lease = new RateLease(store, scope, subject, limit);
      this.#leases.set(name, lease);
    }
    lease.changeLimit(limit);
    return lease;
  }

  /**
   * Returns the leases that every request of the key spends tokens of. The month is counted even if it is unlimited.
   */
  planLeases({ storeId, keyId, sandbox, limits }: ThrottleSubject): readonly RateLease[] {
    const leases: RateLease[] = [];
    if (limits.key_hour > 0) leases.push(this.lease(storeId, 'key_hour', keyId, limits.key_hour));
    if (limits.key_day > 0) leases.push(this.lease(storeId, 'key_day', keyId, limits.key_day));
    if (!sandbox) leases.push(this.lease(storeId, 'month', '', limits.month));
    return leases;
  }

  operationLease(limit: Route['limit'], store: string, keyId: string, address: string): RateLease | null {
    switch (limit) {
      case 'payment':
        return this.lease(store, 'payment_hour', keyId, PAYMENTS_PER_HOUR);
      case 'review':
        return this.lease(store, 'review_hour', keyId, REVIEW_READS_PER_HOUR);
      case 'auth':
      case 'reset':
        return this.lease(store, 'auth_minute', address, AUTH_PER_MINUTE);
      default:
        return null;
    }
  }

  /** Takes a token of every lease, or of none. Returns null if the request may pass. */
  charge(
    leases: readonly RateLease[],
    nowMs: number,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Refusal | null | typeof UNDECIDED {
    const nowS = nowMs / 1_000;
    let undecided = false;
    for (const lease of leases) {
      if (nowS >= lease.end) lease.openWindow(nowMs);
      if (lease.tokens > 0) continue;
      if (lease.exhausted || (lease.ownerUnreachable && lease.ownerTokens <= 0)) {
        this.#askAgain(lease, origin);
        return throttled(lease, nowS);
      }
      if (lease.ownerUnreachable) this.#askAgain(lease, origin);
      else undecided = true;
    }
    if (undecided) return UNDECIDED;
    for (const lease of leases) {
      if (lease.tokens === 0) this.passedWithoutOwner++;
      lease.spend();
      if (lease.tokens <= lease.refillAt) this.#refill(lease, origin);
      if (lease.policy.survivesWindow || lease.ownerUnreachable) this.#used.add(lease);
    }
    return null;
  }

  async settle(
    leases: readonly RateLease[],
    reading = false,
    origin: EdgeOrigin = EDGE_ORIGIN,
  ): Promise<Refusal | null> {
    for (const lease of leases) lease.waitingRequests++;
    try {
      for (;;) {
        const outcome = this.charge(leases, Date.now(), origin);
        if (outcome !== UNDECIDED) return outcome;
        const lacking = leases.filter(({ tokens, ownerUnreachable }) => tokens === 0 && !ownerUnreachable);
        const answered = await Promise.all(lacking.map((lease) => this.#requestTokens(lease, origin)));
        if (lacking.some(({ policy }, at) => policy.failClosed && !answered[at])) return reading ? null : UNREACHABLE;
      }
    } finally {
      for (const lease of leases) lease.waitingRequests--;
    }
  }

  refund(leases: readonly RateLease[]): void {
    for (const lease of leases) lease.refund();
  }

  /**
   * Must be called each second. Reports monthly counts, returns surplus tokens, and asks owners again that did not
   * answer.
   */
  tick(): void {
    let probes = 0;
    for (const lease of [...this.#used]) {
      if (lease.ownerUnreachable && this.#ownerSilent && ++probes > PROBES_MAX) continue;
      this.#used.delete(lease);
      if (lease.ownerUnreachable) this.#used.add(lease);
      if (lease.pendingRequest) continue;
      if (lease.ownerUnreachable) {
        this.#askAgain(lease, EDGE_ORIGIN);
        continue;
      }
      const surplus = lease.surplus(performance.now());
      if (surplus > 0) lease.keepAtMost(lease.tokens - surplus);
      if (surplus > 0 || (lease.scope === 'month' && lease.admitted !== lease.reportedAdmitted))
        void this.#ask(lease, 0, 0, EDGE_ORIGIN);
      // Checks the lease again in the next tick: its first grant may prove too large once a second has passed.
      else if (lease.tokens > 0 && performance.now() - lease.requestedAtMs < ASK_AGAIN_MS) this.#used.add(lease);
    }
  }

  async reportMonth(store: string, origin: EdgeOrigin = EDGE_ORIGIN): Promise<void> {
    const lease = this.#leases.get(nameOf(store, 'month', ''));
    if (!lease) return;
    if (lease.pendingRequest) await lease.pendingRequest;
    if (lease.admitted !== lease.reportedAdmitted) await this.#ask(lease, 0, 0, origin);
  }

  /**
   * Gives leased rate-limit tokens back to the limits' owners, because another edge needs them. Each name is
   * `scope/subject`.
   */
  recall(store: string, names: readonly string[]): void {
    for (const name of names) {
      const lease = this.#leases.get(tenantKey(windowTenant(store), name));
      if (lease && lease.limit > 0) this.#recall(lease);
    }
  }

  sweep(nowMs: number): void {
    for (const [name, lease] of this.#leases)
      if (
        !lease.policy.survivesWindow &&
        lease.end <= nowMs / 1_000 &&
        !lease.pendingRequest &&
        lease.waitingRequests === 0
      )
        this.#leases.delete(name);
    this.generation++;
  }

  async close(): Promise<void> {
    const last: Promise<unknown>[] = [];
    for (const lease of this.#leases.values()) {
      if (lease.pendingRequest) await lease.pendingRequest;
      const held = lease.limit > 0 && lease.tokens > 0;
      // Returning a few tokens of a network's limit is not worth a call.
      const worthReturning = held && (lease.policy.survivesWindow || lease.tokens * RETURN_PART >= lease.limit);
      if (worthReturning || (lease.scope === 'month' && lease.admitted !== lease.reportedAdmitted))
        last.push(this.#returnTokens(lease));
    }
    await Promise.all(last);
  }

  #requestTokens(lease: RateLease, origin: EdgeOrigin): Promise<boolean> {
    return (
      lease.pendingRequest ?? this.#ask(lease, lease.waitingRequests, lease.tokensToRequest(performance.now()), origin)
    );
  }

  #refill(lease: RateLease, origin: EdgeOrigin): void {
    lease.refillAt = -1;
    if (!lease.pendingRequest) void this.#ask(lease, 0, lease.tokensToRequest(performance.now()), origin);
  }

  #askAgain(lease: RateLease, origin: EdgeOrigin): void {
    if (lease.pendingRequest || performance.now() - lease.requestedAtMs < ASK_AGAIN_MS) return;
    void this.#ask(lease, lease.policy.asksEachTime ? 0 : 1, 0, origin);
  }

  #recall(lease: RateLease): void {
    if (lease.pendingRequest) lease.returnsAfterPending = true;
    else void this.#returnTokens(lease);
  }

  /**
   * Returns the tokens that no waiting request needs; the others are returned once the waiting requests have passed.
   */
  #returnTokens(lease: RateLease): Promise<boolean> {
    lease.returnsAfterPending = false;
    lease.keepAtMost(lease.waitingRequests);
    if (lease.waitingRequests > 0) setTimeout(() => this.#recall(lease), RECALL_AGAIN_MS);
    return this.#ask(lease, 0, 0, EDGE_ORIGIN);
  }

  /**
   * Asks the owner. A lease has one such call in progress at most, so that the reported counts stay true until the
   * answer.
   */
  #ask(lease: RateLease, need: number, want: number, origin: EdgeOrigin): Promise<boolean> {
    const request = this.#exchange(lease, need, want, origin).then((answered) => {
      lease.pendingRequest = null;
      if (lease.returnsAfterPending) void this.#returnTokens(lease);
      return answered;
    });
    lease.pendingRequest = request;
    return request;
  }

  async #exchange(lease: RateLease, need: number, want: number, origin: EdgeOrigin): Promise<boolean> {
    const { store, scope, subject, limit, start, admitted, grantEpoch } = lease;
    lease.noteRequest(performance.now());
    this.tokenRequests++;
    const held = limit === 0 ? 0 : lease.tokens;
    const question = {
      scope,
      subject,
      edge: this.#edge,
      sequence: ++this.#sequence,
      limit,
      need,
      want,
      start,
      spent: admitted,
      held,
    };
    const answer = await ownCall(
      this.#wire,
      'Limit/Take',
      { ...question, now: Date.now(), patient: need > 0 && !lease.exhausted },
      {
        caller: this.#caller(store),
        timeoutMs: this.#ownerSilent && !lease.policy.failClosed ? ASK_TIMEOUT_SHORT_MS : ASK_TIMEOUT_MS,
        write: true,
        origin,
      },
    );
    const refused = answer instanceof Refusal;
    this.#ownerSilent = refused;
    // The limit or the window has changed since, so the granted tokens are not used; the next call reports them as not
    // held.
    if (grantEpoch !== lease.grantEpoch) return !refused;
    if (answer instanceof Refusal || !lease.applyGrant(answer, admitted)) {
      lease.ownerUnreachable = !lease.policy.failClosed;
      return false;
    }
    return true;
  }

  #caller(store: string): Caller {
    let caller = this.#callers.get(store);
    if (!caller) {
      caller = { tenant: windowTenant(store), keyType: 'internal', keyId: '', customer: null };
      this.#callers.set(store, caller);
    }
    return caller;
  }

  #evict(): void {
    this.sweep(Date.now());
    if (this.#leases.size < LEASES_MAX) return;
    let evicted = 0;
    for (const [name, lease] of this.#leases) {
      if (lease.policy.survivesWindow || lease.pendingRequest || lease.waitingRequests > 0) continue;
      this.#leases.delete(name);
      if (lease.tokens > 0) void this.#returnTokens(lease);
      if (++evicted >= EVICTED_AT_ONCE) return;
    }
  }
}

/** Live and test keys of a store share its limits by address, so all windows belong to the production tenant. */
const windowTenant = (store: string): Tenant => ({ store, environment: 'production' });

const nameOf = (store: string, scope: Scope, subject: string): TenantKey =>
  tenantKey(windowTenant(store), `${scope}/${subject}`);

export function tightestOf(leases: readonly RateLease[]): RateLease | null {
  let tightest: RateLease | null = null;
  for (const lease of leases)
    if (lease.limit > 0 && lease.policy.isPlanWindow && (tightest === null || lease.remaining < tightest.remaining))
      tightest = lease;
  return tightest;
}

const throttledBy = new WeakMap<Refusal, RateLease>();

export const leaseOf = (refusal: Refusal): RateLease | undefined => throttledBy.get(refusal);

function throttled(lease: RateLease, nowS: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(lease.end - nowS));
  const refusal =
    lease.scope === 'month'
      ? refuse('quota_exceeded', 'The plan’s monthly allowance is used up.', {
          details: `The allowance is ${lease.limit} requests a month and begins anew on the first (UTC).`,
          retryAfterS,
        })
      : refuse('rate_limited', 'The request limit is reached.', {
          details: `The limit is ${lease.limit} requests in this window.`,
          retryAfterS,
        });
  throttledBy.set(refusal, lease);
  return refusal;
}
