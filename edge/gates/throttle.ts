// Counts requests against a plan's fixed windows and the operations' own limits (specification, "Limits"). Tokens are
// leased from each limit's owner, the `limit` actor, so that most requests pass without asking an owner.
import { type EdgeOrigin, ITSELF, ownCall } from '#edge/own_call.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Caller, Wire } from '#runtime/link/frame.ts';
import type { Scope } from '#values/window.ts';
import { RateLease } from './lease.ts';

/** Limits of operations, the same for every plan. */
const PAYMENTS_PER_HOUR = 100;
const REVIEW_READS_PER_HOUR = 600;
const AUTH_PER_MINUTE = 10;

/** Leases held at once; past it those of the least lately seen networks are let go. */
const LEASES_MAX = 200_000;
const LET_GO_AT_ONCE = 20_000;

/** The owner of the last tokens calls those of other edges back before it says that there are none. */
const ASK_TIMEOUT_MS = 3_000;
/**
 * Once an owner was silent no request waits as long for any of them, until one speaks; but where no request passes without its
 * word, a machine that is merely busy must not look like an owner that is gone.
 */
const ASK_TIMEOUT_BRISK_MS = 250;
/** A scope that is used up, or whose owner is away, is asked about again so often. */
const ASK_AGAIN_MS = 1_000;
const RECALL_AGAIN_MS = 5;
const WORTH_PART = 16;
/** Owners that are away are asked one by one whether they are back; once one is, all are. */
const KNOCKS_MAX = 32;

/** What a plan admits; 0 where it does not limit. */
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

/** Not known yet: `settle` asks. */
export const UNDECIDED = Symbol('undecided');

const UNREACHABLE = refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 });

export class Throttle {
  readonly #wire: Wire;
  /** Who this edge is to the owners: another one after each start. */
  readonly #edge = `e${crypto.randomUUID().slice(0, 13)}`;
  readonly #callers = new Map<string, Caller>();
  /** By `store scope/subject`. */
  readonly #leases = new Map<TenantKey, RateLease>();
  /** Those used since they were last looked at that live long enough to be looked after. */
  readonly #used = new Set<RateLease>();
  #turn = 0;
  #brisk = false;
  /** Rises when leases were let go: who remembers any looks them up anew. */
  generation = 0;
  /** Questions sent, for the metrics. */
  asks = 0;
  /** Requests that passed though the owner could not be reached. */
  adrift = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get size(): number {
    return this.#leases.size;
  }

  lease(store: string, scope: Scope, subject: string, limit: number): RateLease {
    const name = nameOf(store, scope, subject);
    let lease = this.#leases.get(name);
    if (!lease) {
      if (this.#leases.size >= LEASES_MAX) this.#letGo();
      lease = new RateLease(store, scope, subject, limit);
      this.#leases.set(name, lease);
    }
    lease.changeLimit(limit);
    return lease;
  }

  /** What every request of a key is charged to. The month is counted even where it is not limited. */
  planLeases({ storeId, keyId, sandbox, limits }: ThrottleSubject): readonly RateLease[] {
    const leases: RateLease[] = [];
    if (limits.key_hour > 0) leases.push(this.lease(storeId, 'key_hour', keyId, limits.key_hour));
    if (limits.key_day > 0) leases.push(this.lease(storeId, 'key_day', keyId, limits.key_day));
    if (!sandbox) leases.push(this.lease(storeId, 'month', '', limits.month));
    return leases;
  }

  /** A route's own limit, beside the plan's. */
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

  // ── Each request ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Charges all or none. Null: it may pass. */
  charge(leases: readonly RateLease[], nowMs: number, origin: EdgeOrigin = ITSELF): Refusal | null | typeof UNDECIDED {
    const nowS = nowMs / 1_000;
    let undecided = false;
    for (const lease of leases) {
      if (nowS >= lease.end) lease.begin(nowMs);
      if (lease.tokens > 0) continue;
      if (lease.dry || (lease.adrift && lease.left <= 0)) {
        this.#lookAgain(lease, origin);
        return throttled(lease, nowS);
      }
      if (lease.adrift) this.#lookAgain(lease, origin);
      else undecided = true;
    }
    if (undecided) return UNDECIDED;
    for (const lease of leases) {
      if (lease.tokens === 0) this.adrift++;
      lease.spend();
      if (lease.tokens <= lease.askAt) this.#refill(lease, origin);
      if (lease.treatment.lasting || lease.adrift) this.#used.add(lease);
    }
    return null;
  }

  /** Asks the owners of what is lacking, and charges then. A `reading` passes where no owner can be asked. */
  async settle(leases: readonly RateLease[], reading = false, origin: EdgeOrigin = ITSELF): Promise<Refusal | null> {
    for (const lease of leases) lease.waiting++;
    try {
      for (;;) {
        const outcome = this.charge(leases, Date.now(), origin);
        if (outcome !== UNDECIDED) return outcome;
        const lacking = leases.filter(({ tokens, adrift }) => tokens === 0 && !adrift);
        const answered = await Promise.all(lacking.map((lease) => this.#request(lease, origin)));
        if (lacking.some(({ treatment }, at) => treatment.closed && !answered[at])) return reading ? null : UNREACHABLE;
      }
    } finally {
      for (const lease of leases) lease.waiting--;
    }
  }

  /** A replay costs nothing. */
  refund(leases: readonly RateLease[]): void {
    for (const lease of leases) lease.refund();
  }

  // ── Besides ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Once a second: months are told what was admitted, tokens that will not be needed soon are given back, and owners that
   * were away are told what passed meanwhile.
   */
  tick(): void {
    let knocks = 0;
    for (const lease of [...this.#used]) {
      if (lease.adrift && this.#brisk && ++knocks > KNOCKS_MAX) continue;
      this.#used.delete(lease);
      if (lease.adrift) this.#used.add(lease);
      if (lease.asking) continue;
      if (lease.adrift) {
        this.#lookAgain(lease, ITSELF);
        continue;
      }
      const surplus = lease.surplus(performance.now());
      if (surplus > 0) lease.keep(lease.tokens - surplus);
      if (surplus > 0 || (lease.scope === 'month' && lease.spent !== lease.told)) void this.#ask(lease, 0, 0, ITSELF);
      // Looked at once more: a grant of its first second may be too large.
      else if (lease.tokens > 0 && performance.now() - lease.askedAtMs < ASK_AGAIN_MS) this.#used.add(lease);
    }
  }

  /** Tells the store's month what was admitted until now. */
  async tell(store: string, origin: EdgeOrigin = ITSELF): Promise<void> {
    const lease = this.#leases.get(nameOf(store, 'month', ''));
    if (!lease) return;
    if (lease.asking) await lease.asking;
    if (lease.spent !== lease.told) await this.#ask(lease, 0, 0, origin);
  }

  /** Another edge needs the last tokens of these: `scope/subject`. */
  recall(store: string, names: readonly string[]): void {
    for (const name of names) {
      const lease = this.#leases.get(tenantKey(countedFor(store), name));
      if (lease && lease.limit > 0) this.#recall(lease);
    }
  }

  /** Forgets those whose window has ended and that no request waits for. */
  sweep(nowMs: number): void {
    for (const [name, lease] of this.#leases)
      if (!lease.treatment.lasting && lease.end <= nowMs / 1_000 && !lease.asking && lease.waiting === 0)
        this.#leases.delete(name);
    this.generation++;
  }

  /** This edge ends: what it holds is given back, and what it admitted is told. */
  async close(): Promise<void> {
    const last: Promise<unknown>[] = [];
    for (const lease of this.#leases.values()) {
      if (lease.asking) await lease.asking;
      const held = lease.limit > 0 && lease.tokens > 0;
      // A few tokens of a network are not worth the question.
      const worth = held && (lease.treatment.lasting || lease.tokens * WORTH_PART >= lease.limit);
      if (worth || (lease.scope === 'month' && lease.spent !== lease.told)) last.push(this.#giveBack(lease));
    }
    await Promise.all(last);
  }

  // ── Owners ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** False: its owner did not answer. */
  #request(lease: RateLease, origin: EdgeOrigin): Promise<boolean> {
    return lease.asking ?? this.#ask(lease, lease.waiting, lease.wish(performance.now()), origin);
  }

  #refill(lease: RateLease, origin: EdgeOrigin): void {
    lease.askAt = -1;
    if (!lease.asking) void this.#ask(lease, 0, lease.wish(performance.now()), origin);
  }

  /** For the requests after this one. */
  #lookAgain(lease: RateLease, origin: EdgeOrigin): void {
    if (lease.asking || performance.now() - lease.askedAtMs < ASK_AGAIN_MS) return;
    void this.#ask(lease, lease.treatment.exact ? 0 : 1, 0, origin);
  }

  #recall(lease: RateLease): void {
    if (lease.asking) lease.recalled = true;
    else void this.#giveBack(lease);
  }

  /** All but what requests here wait for; those are told of as soon as they have passed. */
  #giveBack(lease: RateLease): Promise<boolean> {
    lease.recalled = false;
    lease.keep(lease.waiting);
    if (lease.waiting > 0) setTimeout(() => this.#recall(lease), RECALL_AGAIN_MS);
    return this.#ask(lease, 0, 0, ITSELF);
  }

  /** One question at a time, so that what it says of this edge stays true until it is answered. */
  #ask(lease: RateLease, need: number, want: number, origin: EdgeOrigin): Promise<boolean> {
    const asking = this.#exchange(lease, need, want, origin).then((answered) => {
      lease.asking = null;
      if (lease.recalled) void this.#giveBack(lease);
      return answered;
    });
    lease.asking = asking;
    return asking;
  }

  async #exchange(lease: RateLease, need: number, want: number, origin: EdgeOrigin): Promise<boolean> {
    const { store, scope, subject, limit, start, spent, term } = lease;
    lease.asked(performance.now());
    this.asks++;
    const held = limit === 0 ? 0 : lease.tokens;
    const question = { scope, subject, edge: this.#edge, turn: ++this.#turn, limit, need, want, start, spent, held };
    const answer = await ownCall(
      this.#wire,
      'Limit/Take',
      { ...question, now: Date.now(), patient: need > 0 && !lease.dry },
      {
        caller: this.#caller(store),
        timeoutMs: this.#brisk && !lease.treatment.closed ? ASK_TIMEOUT_BRISK_MS : ASK_TIMEOUT_MS,
        write: true,
        origin,
      },
    );
    const refused = answer instanceof Refusal;
    this.#brisk = refused;
    // Granted for another window or under another limit: the owner learns with the next question that we have none of it.
    if (term !== lease.term) return !refused;
    if (answer instanceof Refusal || !lease.learn(answer, spent)) {
      lease.adrift = !lease.treatment.closed;
      return false;
    }
    return true;
  }

  #caller(store: string): Caller {
    let caller = this.#callers.get(store);
    if (!caller) {
      caller = { tenant: countedFor(store), keyType: 'internal', keyId: '', customer: null };
      this.#callers.set(store, caller);
    }
    return caller;
  }

  /** The least lately made ones, wherever another subject may make room. */
  #letGo(): void {
    this.sweep(Date.now());
    if (this.#leases.size < LEASES_MAX) return;
    let gone = 0;
    for (const [name, lease] of this.#leases) {
      if (lease.treatment.lasting || lease.asking || lease.waiting > 0) continue;
      this.#leases.delete(name);
      if (lease.tokens > 0) void this.#giveBack(lease);
      if (++gone >= LET_GO_AT_ONCE) return;
    }
  }
}

/** Windows are of real time, which is production's; a subject that both environments may have tells which one it is of. */
const countedFor = (store: string): Tenant => ({ store, environment: 'production' });

const nameOf = (store: string, scope: Scope, subject: string): TenantKey =>
  tenantKey(countedFor(store), `${scope}/${subject}`);

/** An address as limits know it: what a store's tests do is not charged to its shoppers. */
export const addressIn = ({ environment }: Tenant, address: string): string => `${environment}/${address}`;

/** The plan's window with the least left; null where nothing is metered. */
export function tightestOf(leases: readonly RateLease[]): RateLease | null {
  let tightest: RateLease | null = null;
  for (const lease of leases)
    if (lease.limit > 0 && lease.treatment.plan && (tightest === null || lease.remaining < tightest.remaining))
      tightest = lease;
  return tightest;
}

const throttledBy = new WeakMap<Refusal, RateLease>();

/** The lease that refused, of a refusal made here. */
export const leaseOf = (refusal: Refusal): RateLease | undefined => throttledBy.get(refusal);

function throttled(lease: RateLease, nowS: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(lease.end - nowS));
  const refusal =
    lease.scope === 'month'
      ? refuse('quota_exceeded', 'The plan’s monthly allowance is used up.', {
          details: `The allowance is ${lease.limit} requests a month and begins anew on the first (UTC).`,
          retryAfterS,
        })
      : refuse('rate_limited', 'Too many requests.', {
          details: `The limit is ${lease.limit} requests in this window.`,
          retryAfterS,
        });
  throttledBy.set(refusal, lease);
  return refusal;
}
