// Provides real time, for deadlines and signatures, and each tenant's time, which may be ahead in a sandbox.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';

export interface Clock {
  /** Returns the tenant's time; in production that is real time. */
  now(tenant: Tenant): Date;
  real(): number;
  offset(tenant: Tenant): number;
  /** Returns the sandboxes whose clock is ahead and running. Pollers look up their due work separately. */
  moved(): readonly Tenant[];
  setOffset(tenant: Tenant, offsetMs: number): void;
  /**
   * Stops a sandbox's clock at `atMs` until its offset is set, so that due work sees the exact time at which it was
   * due. Meanwhile only the process that advances the clock performs due work.
   */
  freeze(tenant: Tenant, atMs: number): void;
  isFrozen(tenant: Tenant): boolean;
}

class TenantClock implements Clock {
  readonly #real: () => number;
  readonly #offsets = new Map<TenantKey, number>();
  readonly #frozen = new Map<TenantKey, number>();

  constructor(real: () => number) {
    this.#real = real;
  }

  real(): number {
    return this.#real();
  }

  now(tenant: Tenant): Date {
    return new Date(this.#frozenAt(tenant) ?? this.#real() + this.offset(tenant));
  }

  offset(tenant: Tenant): number {
    const frozenMs = this.#frozenAt(tenant);
    if (frozenMs !== undefined) return frozenMs - this.#real();
    if (this.#offsets.size === 0 || tenant.environment !== 'sandbox') return 0;
    return this.#offsets.get(tenantKey(tenant)) ?? 0;
  }

  moved(): readonly Tenant[] {
    const running = [...this.#offsets.keys()].filter((key) => !this.#frozen.has(key));
    return running.map((key) => ({ store: key.slice(0, key.lastIndexOf('/')), environment: 'sandbox' as const }));
  }

  freeze(tenant: Tenant, atMs: number): void {
    if (tenant.environment !== 'sandbox') throw new Error('Only the time of a sandbox can stand still.');
    this.#frozen.set(tenantKey(tenant), atMs);
  }

  isFrozen(tenant: Tenant): boolean {
    return this.#frozenAt(tenant) !== undefined;
  }

  #frozenAt(tenant: Tenant): number | undefined {
    if (this.#frozen.size === 0 || tenant.environment !== 'sandbox') return undefined;
    return this.#frozen.get(tenantKey(tenant));
  }

  setOffset(tenant: Tenant, offsetMs: number): void {
    if (tenant.environment !== 'sandbox') throw new Error('Only the time of a sandbox can be moved.');
    // A clock that went back would repeat work.
    if (!Number.isFinite(offsetMs) || offsetMs < 0) throw new RangeError('A sandbox is never behind the real time.');
    this.#frozen.delete(tenantKey(tenant));
    if (offsetMs === 0) this.#offsets.delete(tenantKey(tenant));
    else this.#offsets.set(tenantKey(tenant), offsetMs);
  }
}

export const systemClock = (): Clock => new TenantClock(Date.now);

export interface ManualClock extends Clock {
  advance(ms: number): void;
}

export const manualClock = (startMs: number): ManualClock => {
  let now = startMs;
  return Object.assign(new TenantClock(() => now), {
    advance: (ms: number) => {
      now += ms;
    },
  });
};

/** Timers of the actor host, which a simulation can control. */
export interface Timers {
  /** Time in ms of the monotonic clock. */
  now(): number;
  after(ms: number, run: () => void): () => void;
  soon(run: () => void): void;
  sleep(ms: number): Promise<void>;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (run) => {
    setImmediate(run);
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
