// The holds of one variant as of one fact, as a persistent map. The newest state owns the table. Each earlier one knows how
// to undo, since the actor host retains the state before a fact beside the one after it.

/** pending → pinned → committed | released; pending → released | expired. */
export const HOLD_STATUSES = ['pending', 'pinned', 'committed', 'released', 'expired'] as const;
export type HoldStatus = (typeof HOLD_STATUSES)[number];

export interface Hold {
  readonly id: string;
  readonly quantity: number;
  readonly status: HoldStatus;
  /**
   * In ms by the tenant's clock: when a pending hold expires, when a pinned one's order is asked for a decision, when an
   * ended one is forgotten.
   */
  readonly until: number;
  /** Concurrent calls that share the hold: it ends when the last one releases it, or with a release for all. */
  readonly owners?: readonly string[];
}

/**
 * Immutable to its readers. Reading an earlier state changes the table back, in time linear in the changes since; states
 * that are read are a few batches old at most. A tree of tens of thousands of holds would copy a path for each change.
 */
export class Holds {
  /** Null while another state owns the table; `#next` leads to it. */
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

  /** `replace` returns null to delete a hold. */
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
    // The shared empty state must not lead to the states of every actor.
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
