// What comes about by time alone, as a domain declares it: the time machine of sandboxes has it happen in order.
import type { Fired } from './actor/host.ts';
import type { Tenant } from './call.ts';
import type { Clock } from './clock.ts';

export interface Due {
  /**
   * The first moment at which something of the tenant's is due by `untilMs`, in ms by the tenant's clock; null: nothing
   * is. It sees all that was committed before it was asked.
   */
  next(tenant: Tenant, untilMs: number): Promise<number | null>;
  /**
   * Has all happen that is due by then, earliest first and what comes of it included, while the tenant's clock stands at
   * the moment of each. Nothing is left of it. What happened.
   */
  run(tenant: Tenant, untilMs: number): Promise<readonly Fired[]>;
  /** What others do makes work for it (their events, for example): it is asked again after each of them ran. */
  readonly follows?: boolean;
}

/** Something that waits for its time. */
export interface Waiting {
  readonly id: string;
  /** In ms by the tenant's clock. */
  readonly at: number;
}

export interface OneByOne<T extends Waiting> {
  /** The one that is due first by then, of those due at one moment always the same one. */
  readonly first: (tenant: Tenant, untilMs: number) => Promise<T | null>;
  /** It happens, and is not due at this moment any more. The types of what happened: events' types, or a noun. */
  readonly fire: (tenant: Tenant, waiting: T) => Promise<readonly string[]>;
  readonly follows?: boolean;
}

export const count = (types: Iterable<string>): readonly Fired[] => {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Array.from(counts, ([type, times]) => ({ type, count: times }));
};

/** For what is in tables: each of them in a transaction of its own, say. */
export const oneByOne = <T extends Waiting>(clock: Clock, { first, fire, follows = false }: OneByOne<T>): Due => ({
  next: async (tenant, untilMs) => (await first(tenant, untilMs))?.at ?? null,
  run: async (tenant, untilMs) => {
    const fired: string[] = [];
    let before: T | null = null;
    for (;;) {
      const waiting: T | null = await first(tenant, untilMs);
      if (waiting === null) return count(fired);
      if (before?.id === waiting.id && before.at === waiting.at)
        throw new Error(`What was due at ${new Date(waiting.at).toISOString()} did not happen: ${waiting.id}.`);
      // What was overdue when the jump began happens now: time is never put back.
      clock.stand(tenant, Math.max(waiting.at, clock.now(tenant).getTime()));
      fired.push(...(await fire(tenant, waiting)));
      before = waiting;
    }
  },
  follows,
});
