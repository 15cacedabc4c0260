// Answers that were read before, with their ETags: an unchanged one comes as 304 without a body.

interface StoredAnswer {
  readonly etag: string;
  readonly text: string;
}

/** Characters of one answer, and of all of them. */
const ONE_MAX = 256 * 1024;
const ALL_MAX = 4 * 1024 * 1024;

/** The least recently used ones go first. */
export class AnswerCache {
  readonly #answers = new Map<string, StoredAnswer>();
  readonly #max: number;
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get(name: string): StoredAnswer | undefined {
    const found = this.#answers.get(name);
    if (found) {
      this.#answers.delete(name);
      this.#answers.set(name, found);
    }
    return found;
  }

  /** Keeps what its `Cache-Control` allows to keep. */
  keep(name: string, { headers }: Response, text: string): void {
    const etag = headers.get('etag');
    this.#forget(name);
    if (!etag || text.length > ONE_MAX || headers.get('cache-control')?.includes('no-store')) return;
    this.#answers.set(name, { etag, text });
    this.#size += text.length;
    while (this.#answers.size > this.#max || this.#size > ALL_MAX) this.#forget(this.#answers.keys().next().value!);
  }

  #forget(name: string): void {
    this.#size -= this.#answers.get(name)?.text.length ?? 0;
    this.#answers.delete(name);
  }
}
