// Time: the real one, for deadlines and signatures, and each tenant's own, which a sandbox may have moved forward.
import { type Tenant, tenantKey } from './call.ts';

export interface Clock {
  /** The tenant's time: production's is the real one. */
  now(tenant: Tenant): Date;
  /** Real time in ms since the epoch. */
  real(): number;
  /** How far a tenant's time is ahead of the real one, in ms. */
  offset(tenant: Tenant): number;
  /** The tenants whose time was moved. */
  moved(): readonly Tenant[];
  /** Moves a sandbox's time; production's never moves. */
  setOffset(tenant: Tenant, offsetMs: number): void;
}

class TenantClock implements Clock {
  readonly #real: () => number;
  readonly #offsets = new Map<string, number>();

  constructor(real: () => number) {
    this.#real = real;
  }

  real(): number {
    return this.#real();
  }

  now(tenant: Tenant): Date {
    return new Date(this.#real() + this.offset(tenant));
  }

  offset(tenant: Tenant): number {
    if (this.#offsets.size === 0 || tenant.environment !== 'sandbox') return 0;
    return this.#offsets.get(tenantKey(tenant)) ?? 0;
  }

  moved(): readonly Tenant[] {
    return Array.from(this.#offsets.keys(), (key) => ({
      store: key.slice(0, key.lastIndexOf('/')),
      environment: 'sandbox' as const,
    }));
  }

  setOffset(tenant: Tenant, offsetMs: number): void {
    if (tenant.environment !== 'sandbox') throw new Error('Only the time of a sandbox can be moved.');
    // Whatever ran ahead by the tenant's clock must not happen twice by the real one.
    if (!Number.isFinite(offsetMs) || offsetMs < 0) throw new RangeError('A sandbox is never behind the real time.');
    if (offsetMs === 0) this.#offsets.delete(tenantKey(tenant));
    else this.#offsets.set(tenantKey(tenant), offsetMs);
  }
}

export const systemClock = (): Clock => new TenantClock(Date.now);

/** A clock that stands still until it is told to go on. */
export interface StillClock extends Clock {
  advance(ms: number): void;
}

export const stillClock = (startMs: number): StillClock => {
  let now = startMs;
  return Object.assign(new TenantClock(() => now), {
    advance: (ms: number) => {
      now += ms;
    },
  });
};
