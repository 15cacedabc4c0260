// The spaces of meanings that one index knows: the one that was learnt last, and those before it, in which a search that began
// to turn pages in them goes on.
import { Vectors } from './vector.ts';

/** Former ones beyond these are forgotten, the oldest first. */
const FORMER_MAX = 4;
const FORMER_BYTES_MAX = 16 * 1024 * 1024;

export class Spaces {
  #current = new Vectors();
  /** Being filled; nothing is looked for in it yet. */
  #coming: Vectors | null = null;
  /** The newest first. Products that came later are in none of them. */
  #former: readonly Vectors[] = [];

  get current(): Vectors {
    return this.#current;
  }

  get memoryBytes(): number {
    return [this.#current, ...this.#former].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  /** By its mark; the current one where it was forgotten, or another process learnt it. */
  find(mark: number): Vectors {
    return this.#former.find((space) => space.mark === mark) ?? this.#current;
  }

  /** What comes from here on is put into this one, too. */
  prepare(space: Vectors): void {
    this.#coming = space;
  }

  /** The one that was prepared takes the place of the current one. */
  adopt(): void {
    if (this.#coming === null) return;
    const former: Vectors[] = [];
    let bytes = 0;
    for (const space of [this.#current, ...this.#former]) {
      if (space.dimensions === 0 || space.mark === this.#coming.mark) continue;
      bytes += space.memoryBytes;
      if (former.length === FORMER_MAX || bytes > FORMER_BYTES_MAX) break;
      former.push(space);
    }
    this.#former = former;
    this.#current = this.#coming;
    this.#coming = null;
  }

  /** The terms of a new product follow by `add`, then `end`. */
  begin(slot: number): void {
    this.#current.begin(slot);
    this.#coming?.begin(slot);
  }

  add(term: number, impact: number): void {
    this.#current.add(term, impact);
    this.#coming?.add(term, impact);
  }

  end(): void {
    this.#current.end();
    this.#coming?.end();
  }

  clear(slot: number): void {
    this.#current.clear(slot);
    this.#coming?.clear(slot);
    for (const space of this.#former) space.clear(slot);
  }
}
