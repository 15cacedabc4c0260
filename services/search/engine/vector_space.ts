// The vector spaces of one index: the current one, and earlier ones for the later pages of searches that used them.

import type { SearchDocument } from './document.ts';
import { Vectors } from './vector.ts';

export interface VectorSource {
  productChanged(document: SearchDocument): void;
  /** Called after an index was restored, for whose products `productChanged` was not called. */
  restored(): void;
  update(): void;
  /** Resolves when vectors become available; null if they already are, or will not become so. */
  readonly ready: Promise<void> | null;
  /** Returns the query's vector: undefined if it is to be derived from terms, null if the service fails. */
  queryVector(query: string, deadline: number): Promise<Float32Array | null> | undefined;
  close(): void;
}

const FORMER_MAX = 4;
const FORMER_BYTES_MAX = 16 * 1024 * 1024;

export class VectorSpaces {
  #current = new Vectors();
  #coming: Vectors | null = null;
  #former: readonly Vectors[] = [];

  get current(): Vectors {
    return this.#current;
  }

  get memoryBytes(): number {
    return [this.#current, ...this.#former].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  }

  /** Returns the space with this mark; the current one if no retained space has it. */
  find(mark: number): Vectors {
    return this.#former.find((space) => space.mark === mark) ?? this.#current;
  }

  prepare(space: Vectors): void {
    this.#coming = space;
  }

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

  begin(docId: number): void {
    this.#current.begin(docId);
    this.#coming?.begin(docId);
  }

  add(term: number, impact: number): void {
    this.#current.add(term, impact);
    this.#coming?.add(term, impact);
  }

  end(): void {
    this.#current.end();
    this.#coming?.end();
  }

  clear(docId: number): void {
    this.#current.clear(docId);
    this.#coming?.clear(docId);
    for (const space of this.#former) space.clear(docId);
  }
}
