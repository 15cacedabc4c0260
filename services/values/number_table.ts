// Maps numbers to pending items, for tables that fill and empty all the time. A Map rehashes every few entries, and its
// old tables link to the next for iterators. Once one is tenured, all later ones stay reachable until a full
// collection: half of all requests' garbage did (measured).

const CAPACITY_FIRST = 16;

/** Open addressing: sequential keys hit their slot at once. */
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
    // Later entries move up, unless that would place them before their own slot.
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

  /** A copy, unordered: the table may change meanwhile. */
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
