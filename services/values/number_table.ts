// Maps numbers to pending items, for tables that are filled and emptied all the time. A Map rehashes every few entries
// and links each old table to the next for iterators: once one old table is tenured, the garbage collector keeps all
// later ones until a full collection. That was half of the garbage of all requests (measured).

const CAPACITY_FIRST = 16;

/** A hash table with open addressing. Sequential keys need no probing. */
export class NumberTable<T extends object> {
  #numbers = new Float64Array(CAPACITY_FIRST);
  #items: (T | null)[] = new Array(CAPACITY_FIRST).fill(null);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(number: number): T | undefined {
    return this.#items[this.#find(number)] ?? undefined;
  }

  set(number: number, item: T): void {
    const at = this.#find(number);
    if (this.#items[at] === null) {
      if (this.#size * 2 >= this.#items.length) {
        this.#grow();
        this.set(number, item);
        return;
      }
      this.#size++;
    }
    this.#numbers[at] = number;
    this.#items[at] = item;
  }

  take(number: number): T | undefined {
    let hole = this.#find(number);
    const taken = this.#items[hole];
    if (!taken) return undefined;
    const mask = this.#items.length - 1;
    // Moves later entries up, unless that would place an entry before its own slot.
    for (let next = (hole + 1) & mask; this.#items[next]; next = (next + 1) & mask) {
      const home = this.#numbers[next]! & mask;
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#numbers[hole] = this.#numbers[next]!;
      this.#items[hole] = this.#items[next]!;
      hole = next;
    }
    this.#items[hole] = null;
    this.#size--;
    return taken;
  }

  /** Returns a copy in no particular order, so that the table may change meanwhile. */
  entries(): (readonly [number: number, item: T])[] {
    const entries: (readonly [number, T])[] = [];
    for (const [at, item] of this.#items.entries()) if (item) entries.push([this.#numbers[at]!, item]);
    return entries;
  }

  clear(): void {
    this.#items.fill(null);
    this.#size = 0;
  }

  #find(number: number): number {
    const mask = this.#items.length - 1;
    let at = number & mask;
    while (this.#items[at] && this.#numbers[at] !== number) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const entries = this.entries();
    const capacity = this.#items.length * 2;
    this.#numbers = new Float64Array(capacity);
    this.#items = new Array(capacity).fill(null);
    this.#size = 0;
    for (const [number, item] of entries) this.set(number, item);
  }
}
