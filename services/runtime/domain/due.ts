// Declares work that becomes due by time alone, so that a sandbox whose clock is advanced does it in order.
import type { Fired } from '#runtime/actor/host.ts';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';

/** One segment of an advance of a sandbox's clock. In ms by the tenant's clock, except `endsAt`. */
export interface ClockAdvance {
  /** Start of the whole advance. Overdue work is done at this time, since the clock never goes back. */
  readonly since: number;
  /** End of this segment: another source has work due there. */
  readonly until: number;
  readonly target: number;
  /** In real ms: work that is not done by then is left. */
  readonly endsAt: number;
}

/** Work that orders its own items, or items in tables that share transactions with other domains. */
export type Due = IndependentDue | SharedDue;

export interface IndependentDue {
  /**
   * When the tenant's first item is due, at most `target`; null: none is. Reads everything committed before the call.
   */
  next(tenant: Tenant, advance: ClockAdvance): Promise<number | null>;
  /**
   * Does all work due by `until`, earliest first, with the tenant's clock frozen at each item's time. Returns what
   * happened.
   */
  run(tenant: Tenant, advance: ClockAdvance): Promise<readonly Fired[]>;
  /** Only reacts to other sources' work: it is asked after them and runs behind them. */
  readonly follows?: boolean;
  /** Runs at the end of an advance, before its caller is answered. */
  readonly settle?: (tenant: Tenant) => Promise<void>;
}

export interface DueItem {
  readonly id: string;
  readonly at: number;
}

/**
 * Items in tables that cause only rows and events. Items of several domains share one transaction in order of time,
 * since a commit for each would take most of a long advance.
 */
export interface SharedDue {
  /** Items due by `until`, ordered by time and id; at most `max`. */
  readonly list: (sql: Sql, tenant: Tenant, until: number, max: number) => Promise<readonly DueItem[]>;
  readonly fire: (tx: Transaction, tenant: Tenant, waiting: DueItem) => Promise<FireResult>;
}

export interface FireResult {
  readonly types: readonly string[];
  /** When the same item is due next; null or absent: never. */
  readonly again?: number | null;
}

export const isShared = (due: Due): due is SharedDue => 'fire' in due;

export interface SequentialDueOptions<T extends DueItem> {
  /** The first item due by `target`. Items of one moment have a fixed order. */
  readonly first: (tenant: Tenant, advance: ClockAdvance) => Promise<T | null>;
  /** Does the item's work, after which it is not due at this moment. Returns event types, or a noun. */
  readonly fire: (tenant: Tenant, waiting: T) => Promise<readonly string[]>;
}

/** Something that expires without any action: an advance only counts it. */
export interface ExpiryDueOptions {
  readonly type: string;
  /** The first expiry after `from` and at most `target`; both in ms by the tenant's clock. */
  readonly first: (tenant: Tenant, from: number, target: number) => Promise<number | null>;
  readonly count: (tenant: Tenant, from: number, until: number) => Promise<number>;
}

export const expiryDue = (clock: Clock, { type, first, count }: ExpiryDueOptions): IndependentDue => {
  /** How far each tenant's advance has counted. */
  const reached = new Map<TenantKey, { readonly since: number; readonly at: number }>();
  const from = (key: TenantKey, { since }: ClockAdvance): number => {
    const known = reached.get(key);
    return known?.since === since ? known.at : since;
  };
  return {
    next: (tenant, advance) => first(tenant, from(tenantKey(tenant), advance), advance.target),
    run: async (tenant, advance) => {
      const key = tenantKey(tenant);
      const ended = await count(tenant, from(key, advance), advance.until);
      reached.set(key, { since: advance.since, at: advance.until });
      clock.freeze(tenant, advance.until);
      return ended > 0 ? [{ type, count: ended }] : [];
    },
    settle: async (tenant) => void reached.delete(tenantKey(tenant)),
  };
};

export const countTypes = (types: Iterable<string>): readonly Fired[] => {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort().map(([type, count]) => ({ type, count }));
};

/**
 * Does items of a table one by one, each in its own transaction: for items that cause more than rows and events.
 */
export const sequentialDue = <T extends DueItem>(
  clock: Clock,
  { first, fire }: SequentialDueOptions<T>,
): IndependentDue => {
  /** The next item that a segment found behind its end, so that the next segment need not look for it. */
  const beyond = new Map<TenantKey, { readonly since: number; readonly next: number | null }>();

  return {
    next: async (tenant, advance) => {
      const key = tenantKey(tenant);
      const known = beyond.get(key);
      beyond.delete(key);
      return known?.since === advance.since ? known.next : ((await first(tenant, advance))?.at ?? null);
    },

    run: async (tenant, advance) => {
      const fired: string[] = [];
      for (let before: T | null = null; clock.real() < advance.endsAt; ) {
        const waiting: T | null = await first(tenant, advance);
        if (waiting === null || waiting.at > advance.until) {
          beyond.set(tenantKey(tenant), { since: advance.since, next: waiting?.at ?? null });
          break;
        }
        if (before?.id === waiting.id && before.at === waiting.at)
          throw new Error(`What was due at ${new Date(waiting.at).toISOString()} did not happen: ${waiting.id}.`);
        clock.freeze(tenant, Math.max(waiting.at, advance.since));
        fired.push(...(await fire(tenant, waiting)));
        before = waiting;
      }
      return countTypes(fired);
    },
  };
};
