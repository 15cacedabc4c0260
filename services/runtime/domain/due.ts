// Declares work that becomes due by time alone. The due clock performs it in real time; advancing a sandbox's clock
// performs it in order of time.
import type { Fired } from '#runtime/actor/host.ts';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Postgres, Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';

/** One step of advancing a sandbox's clock. All times except `endsAt` are in ms of the tenant's clock. */
export interface ClockAdvance {
  /** Time at which the whole advance started. Overdue work runs at this time, since the clock never goes back. */
  readonly since: number;
  readonly until: number;
  readonly target: number;
  /** Real time in ms after which the remaining work is left undone. */
  readonly endsAt: number;
}

export type Due = ListedDue | IndependentDue;

export interface IndependentDue {
  /**
   * Returns when the tenant's first item is due, at most `target`; null: none is. Sees everything committed before the
   * call.
   */
  next(tenant: Tenant, advance: ClockAdvance): Promise<number | null>;
  /**
   * Performs all work due by `until` in order of time, with the tenant's clock frozen at each item's time. Returns the
   * event types and their numbers.
   */
  run(tenant: Tenant, advance: ClockAdvance): Promise<readonly Fired[]>;
  /** Whether this source only reacts to other sources' work and so runs after them. */
  readonly follows?: boolean;
  /** Runs at the end of an advance, before the caller gets the answer. */
  readonly settle?: (tenant: Tenant) => Promise<void>;
}

export interface DueItem {
  readonly tenant: Tenant;
  readonly id: string;
  readonly at: number;
}

export interface DueRow extends Tenant {
  readonly id: string;
  readonly due_at: Date;
}

export const dueItemOf = ({ store, environment, id, due_at }: DueRow): DueItem => ({
  tenant: { store, environment },
  id,
  at: due_at.getTime(),
});

export interface DueQuery {
  /** Null: the items of all tenants. */
  readonly tenant: Tenant | null;
  readonly until: Date;
  readonly max: number;
}

export interface ListedDue {
  /** Names the items in logs, for example `gift cards`. */
  readonly name: string;
  /** Returns at most `max` items due by `until`, ordered by time and id. */
  readonly list: (sql: Sql, query: DueQuery) => Promise<readonly DueItem[]>;
  /** Does the item's work. Has no effect if the item is no longer due, since another host may have been faster. */
  readonly fire: (tx: Transaction, item: DueItem) => Promise<FireResult>;
  /** Tells others of the changes, once for each transaction and tenant. */
  readonly announce?: (tx: Transaction, tenant: Tenant) => void;
  /**
   * Present for work that does more than write rows and events. While a clock is advanced, such items have transactions
   * of their own; all others share transactions, because a commit for each would dominate a long advance.
   */
  readonly separate?: {
    /** While a clock is advanced, waits after each item for the work of others that it caused. */
    readonly settled?: (tenant: Tenant) => Promise<void>;
  };
}

export interface FireResult {
  /** Event types, or a noun for work without events. */
  readonly types: readonly string[];
  readonly again?: number | null;
}

export const isListed = (due: Due): due is ListedDue => 'fire' in due;

type SequentialItem = Pick<DueItem, 'id' | 'at'>;

export interface SequentialDueOptions<T extends SequentialItem> {
  /** Returns the first item due by `target`. Items of the same time must have a fixed order. */
  readonly first: (tenant: Tenant, advance: ClockAdvance) => Promise<T | null>;
  /**
   * Does the item's work, after which the item must not be due at this time. Returns event types, or a noun for work
   * without events.
   */
  readonly fire: (tenant: Tenant, waiting: T) => Promise<readonly string[]>;
}

/** Describes something that expires without any work; an advance only counts the expiries. */
export interface ExpiryDueOptions {
  readonly type: string;
  /** Returns the first expiry after `from` and at most `target`, in ms of the tenant's clock; null: none. */
  readonly first: (tenant: Tenant, from: number, target: number) => Promise<number | null>;
  readonly count: (tenant: Tenant, from: number, until: number) => Promise<number>;
}

export const expiryDue = (clock: Clock, { type, first, count }: ExpiryDueOptions): IndependentDue => {
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

/** Performs items one by one, each in its own transaction. */
export const sequentialDue = <T extends SequentialItem>(
  clock: Clock,
  { first, fire }: SequentialDueOptions<T>,
): IndependentDue => {
  /** The next item after each step's end, found by that step, so that the next step need not query again. */
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

/** Performs listed items one by one while a clock is advanced. */
export const separately = (
  { clock, postgres }: { readonly clock: Clock; readonly postgres: Pick<Postgres, 'sql' | 'transaction'> },
  due: ListedDue,
): IndependentDue =>
  sequentialDue(clock, {
    first: async (tenant, { target }) => {
      const [item] = await due.list(postgres.sql, { tenant, until: new Date(target), max: 1 });
      return item ?? null;
    },
    fire: async (tenant, item) => {
      const { types } = await fireAlone(postgres, due, item);
      await due.separate?.settled?.(tenant);
      return types;
    },
  });

export const fireAlone = (
  postgres: Pick<Postgres, 'transaction'>,
  due: ListedDue,
  item: DueItem,
): Promise<FireResult> =>
  postgres.transaction(async (tx) => {
    const result = await due.fire(tx, item);
    due.announce?.(tx, item.tenant);
    return result;
  });
