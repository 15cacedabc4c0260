// What comes about by time alone, as a domain declares it: the time machine of sandboxes has it happen in order.
import type { Fired } from '#runtime/actor/host.ts';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';

/** A leg of a journey through time. By the tenant's clock, in ms, but for its end. */
export interface ClockAdvance {
  /** When the journey began: what was overdue by then happens then, since time is never put back. */
  readonly since: number;
  /** How far this leg goes at most: there another one's turn comes. */
  readonly until: number;
  /** How far the journey goes. */
  readonly target: number;
  /** Real time: what is not done by then is left. */
  readonly endsAt: number;
}

/** What a domain declares: things that go their own way, or that share their way with others'. */
export type Due = IndependentDue | SharedDue;

export interface IndependentDue {
  /**
   * The first moment at which something of the tenant's is due by `target`; null: nothing is. It sees all that was
   * committed before it was asked.
   */
  next(tenant: Tenant, jump: ClockAdvance): Promise<number | null>;
  /**
   * Has all happen that is due by `until`, earliest first and what comes of it included, while the tenant's clock stands at
   * the moment of each: `clock.stand`. What happened.
   */
  run(tenant: Tenant, jump: ClockAdvance): Promise<readonly Fired[]>;
  /**
   * It follows others' events and is none's cause: it is asked again once others have gone some way, and is behind them
   * by so much.
   */
  readonly follows?: boolean;
  /** At the end of a journey: what it set going is over, so that it is done before the answer. */
  readonly settle?: (tenant: Tenant) => Promise<void>;
}

/** Something that waits for its time. */
export interface DueItem {
  readonly id: string;
  /** In ms by the tenant's clock. */
  readonly at: number;
}

/**
 * Things in tables of which nothing comes but rows and events. Those of several domains happen in one transaction, as
 * their moments come: a commit for each would be most of a long journey.
 */
export interface SharedDue {
  /** Those due by `until`, the first ones first, those of one moment by their ids; at most `max`. */
  readonly list: (sql: Sql, tenant: Tenant, until: number, max: number) => Promise<readonly DueItem[]>;
  /** It happens, now by the tenant's clock. */
  readonly fire: (tx: Transaction, tenant: Tenant, waiting: DueItem) => Promise<FireResult>;
}

export interface FireResult {
  /** The types of what happened: events' types, or a noun. */
  readonly types: readonly string[];
  /** When the same thing is due next, if it is. */
  readonly again?: number | null;
}

export const isShared = (due: Due): due is SharedDue => 'fire' in due;

export interface SequentialDueOptions<T extends DueItem> {
  /** The one that is due first by `target`, of those due at one moment always the same one. */
  readonly first: (tenant: Tenant, jump: ClockAdvance) => Promise<T | null>;
  /** It happens, and is not due at this moment any more. The types of what happened: events' types, or a noun. */
  readonly fire: (tenant: Tenant, waiting: T) => Promise<readonly string[]>;
}

/** What ends by the clock alone, without any action: it is only told how much of it did. */
export interface ExpiryDueOptions {
  /** The noun. */
  readonly type: string;
  /** The first end after `from` and by `target`; both in ms by the tenant's clock. */
  readonly first: (tenant: Tenant, from: number, target: number) => Promise<number | null>;
  /** How many end after `from` and by `until`. */
  readonly count: (tenant: Tenant, from: number, until: number) => Promise<number>;
}

export const expiryDue = (clock: Clock, { type, first, count }: ExpiryDueOptions): IndependentDue => {
  /** Where each journey has come to. */
  const reached = new Map<TenantKey, { readonly since: number; readonly at: number }>();
  const from = (key: TenantKey, { since }: ClockAdvance): number => {
    const known = reached.get(key);
    return known?.since === since ? known.at : since;
  };
  return {
    next: (tenant, jump) => first(tenant, from(tenantKey(tenant), jump), jump.target),
    run: async (tenant, jump) => {
      const key = tenantKey(tenant);
      const ended = await count(tenant, from(key, jump), jump.until);
      reached.set(key, { since: jump.since, at: jump.until });
      clock.freeze(tenant, jump.until);
      return ended > 0 ? [{ type, count: ended }] : [];
    },
    settle: async (tenant) => void reached.delete(tenantKey(tenant)),
  };
};

/** How often each type is there, in the order of their names. */
export const countTypes = (types: Iterable<string>): readonly Fired[] => {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].sort().map(([type, count]) => ({ type, count }));
};

/** For what is in tables and has more come of it than rows and events: each with a transaction of its own. */
export const sequentialDue = <T extends DueItem>(
  clock: Clock,
  { first, fire }: SequentialDueOptions<T>,
): IndependentDue => {
  /** What a leg of a journey found beyond its end: it need not be looked for again at once. */
  const beyond = new Map<TenantKey, { readonly since: number; readonly next: number | null }>();

  return {
    next: async (tenant, jump) => {
      const key = tenantKey(tenant);
      const known = beyond.get(key);
      beyond.delete(key);
      return known?.since === jump.since ? known.next : ((await first(tenant, jump))?.at ?? null);
    },

    run: async (tenant, jump) => {
      const fired: string[] = [];
      for (let before: T | null = null; clock.real() < jump.endsAt; ) {
        const waiting: T | null = await first(tenant, jump);
        if (waiting === null || waiting.at > jump.until) {
          beyond.set(tenantKey(tenant), { since: jump.since, next: waiting?.at ?? null });
          break;
        }
        if (before?.id === waiting.id && before.at === waiting.at)
          throw new Error(`What was due at ${new Date(waiting.at).toISOString()} did not happen: ${waiting.id}.`);
        clock.freeze(tenant, Math.max(waiting.at, jump.since));
        fired.push(...(await fire(tenant, waiting)));
        before = waiting;
      }
      return countTypes(fired);
    },
  };
};
