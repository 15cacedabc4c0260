// The holds of one variant as of one fact. The actor host keeps the state before a fact beside the one after it; there
// is one table nevertheless, which is the newest state's, and every earlier one knows what to undo.

/** pending → pinned → committed | released; pending → released | expired. The last three are ends. */
export const HOLD_STATUSES = ['pending', 'pinned', 'committed', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export interface Hold {
  readonly id: string;
  readonly quantity: number;
  readonly status: HoldStatus;
  /**
   * In ms by the tenant's clock: when a pending hold expires, when its order is asked about a pinned one, and when an
   * ended one is forgotten.
   */
  readonly until: number;
  /**
   * Tries of one call that share it, here and on other hosts: it is let go with the last of them, or for all at once. Undefined:
   * it is no try's (any more).
   */
  readonly owners?: readonly string[];
}

/**
 * Never changes, as far as a reader can see. A question to earlier holds has the table changed back to them, which takes
 * as long as there were changes since: states that count are a few batches old at most. Of tens of thousands of holds in
 * a tree instead, each change would leave copies of all that is on the way to it, scattered in memory.
 */
export class Holds {
  /** Null: other holds have it. Who of the chain comes next is nearer to it. */
  #table: Map<string, Hold> | null;
  #next: Holds | null = null;
  /** What the next ones have under this id, these have not. */
  #id = '';
  /** What these have there instead. */
  #hold: Hold | undefined = undefined;

  private constructor(table: Map<string, Hold>) {
    this.#table = table;
  }

  static of(holds: Iterable<Hold>): Holds {
    const table = new Map<string, Hold>();
    for (const hold of holds) table.set(hold.id, hold);
    return new Holds(table);
  }

  get(id: string): Hold | null {
    return this.#own().get(id) ?? null;
  }

  /** In the order in which they were begun, unless earlier holds were asked meanwhile. */
  all(): Hold[] {
    return [...this.#own().values()];
  }

  /** These with this one, in the place of the one with the same id. */
  with(hold: Hold): Holds {
    return this.#put(hold.id, hold);
  }

  /** What becomes of each hold; null: it is left out. */
  map(become: (hold: Hold) => Hold | null): Holds {
    let mapped: Holds = this;
    for (const hold of this.all()) {
      const next = become(hold);
      if (next !== hold) mapped = mapped.#put(hold.id, next);
    }
    return mapped;
  }

  #put(id: string, hold: Hold | null): Holds {
    const table = this.#own();
    // What every actor begins with must not lead to all that became of each.
    if (table.size === 0) return Holds.of(hold ? [hold] : []);
    const next = new Holds(table);
    this.#yield(next, id);
    if (hold) table.set(id, hold);
    else table.delete(id);
    return next;
  }

  /** The table goes to the next holds, which will have something else under this id. */
  #yield(next: Holds, id: string): void {
    this.#hold = this.#table!.get(id);
    this.#id = id;
    this.#next = next;
    this.#table = null;
  }

  /** The table as of these holds. */
  #own(): Map<string, Hold> {
    if (this.#table) return this.#table;
    const chain: Holds[] = [];
    let owner: Holds = this;
    for (; !owner.#table; owner = owner.#next!) chain.push(owner);
    const table = owner.#table;
    for (let to = chain.pop(); to; to = chain.pop()) {
      const hold = to.#hold;
      owner.#yield(to, to.#id);
      if (hold) table.set(hold.id, hold);
      else table.delete(to.#id);
      to.#table = table;
      to.#next = null;
      to.#hold = undefined;
      owner = to;
    }
    return table;
  }
}

export const NO_HOLDS = Holds.of([]);
