// The holds of one variant as a persistent map: each state of the stock has its version. Only the newest version has
// the table; an older one restores it by undoing changes. The actor host needs two versions, before and after a fact.

/** Transitions: pending → committed | released | expired; a late commit: released | expired → committed. */
export const HOLD_STATUSES = ['pending', 'committed', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export interface Hold {
  readonly id: string;
  readonly quantity: number;
  readonly status: HoldStatus;
  /** Time in ms by the tenant's clock at which a pending hold expires, and an ended one is forgotten. */
  readonly until: number;
  /**
   * Concurrent calls that share the hold. The hold ends when the last holder has released it, or by a release without a
   * holder.
   */
  readonly holders?: readonly string[];
}

/**
 * Immutable to callers. Reading an older version takes time linear in the changes since, which are few. A tree was
 * rejected, because each change would copy a path.
 */
export class Holds {
  /** Null if a newer version has the table; `#next` leads to it. */
  #table: Map<string, Hold> | null;
  #next: Holds | null = null;
  #replacedId = '';
  #replacedHold: Hold | undefined = undefined;

  private constructor(table: Map<string, Hold>) {
    this.#table = table;
  }

  static of(holds: Iterable<Hold>): Holds {
    const table = new Map<string, Hold>();
    for (const hold of holds) table.set(hold.id, hold);
    return new Holds(table);
  }

  get(id: string): Hold | null {
    return this.#ownTable().get(id) ?? null;
  }

  all(): Hold[] {
    return [...this.#ownTable().values()];
  }

  with(hold: Hold): Holds {
    return this.#put(hold.id, hold);
  }

  /** Calls `replace` for each hold; null deletes the hold. */
  map(replace: (hold: Hold) => Hold | null): Holds {
    let mapped: Holds = this;
    for (const hold of this.all()) {
      const next = replace(hold);
      if (next !== hold) mapped = mapped.#put(hold.id, next);
    }
    return mapped;
  }

  #put(id: string, hold: Hold | null): Holds {
    const table = this.#ownTable();
    // Starts a new table, because the shared empty version must not link to the versions of every actor.
    if (table.size === 0) return Holds.of(hold ? [hold] : []);
    const next = new Holds(table);
    this.#passTable(next, id);
    if (hold) table.set(id, hold);
    else table.delete(id);
    return next;
  }

  #passTable(next: Holds, id: string): void {
    this.#replacedHold = this.#table!.get(id);
    this.#replacedId = id;
    this.#next = next;
    this.#table = null;
  }

  #ownTable(): Map<string, Hold> {
    if (this.#table) return this.#table;
    const chain: Holds[] = [];
    let owner: Holds = this;
    for (; !owner.#table; owner = owner.#next!) chain.push(owner);
    const table = owner.#table;
    for (let to = chain.pop(); to; to = chain.pop()) {
      const hold = to.#replacedHold;
      owner.#passTable(to, to.#replacedId);
      if (hold) table.set(hold.id, hold);
      else table.delete(to.#replacedId);
      to.#table = table;
      to.#next = null;
      to.#replacedHold = undefined;
      owner = to;
    }
    return table;
  }
}

export const NO_HOLDS = Holds.of([]);

/** Place of a live hold in the list of them, the first to expire first. */
export type HoldPlace = Pick<Hold, 'until' | 'id'>;

const compare = (a: HoldPlace, b: HoldPlace): number => a.until - b.until || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Returns the first `limit` holds behind `after` that have not ended by `now`. */
export const pageOfHolds = (
  holds: readonly Hold[],
  now: number,
  after: HoldPlace | null,
  limit: number,
): readonly Hold[] =>
  holds
    .filter(({ status, until }) => status === 'pending' && until > now)
    .filter((hold) => after === null || compare(hold, after) > 0)
    .sort(compare)
    .slice(0, limit);
