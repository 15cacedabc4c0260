// Similarity trained on the store's own products, again when enough of them have changed.
import type { Log } from '#runtime/process/log.ts';
import { learnMeaning } from '#services/search/engine/meaning.ts';
import type { ProductIndex } from '#services/search/engine/product_index.ts';
import { type Meaning, pause } from './meaning.ts';

/** Share of changed products that triggers training. */
const RELEARN_SHARE = 0.2;
const RELEARN_MIN = 20;

/** Trains one at a time: each takes a processor for a moment. */
let turn: Promise<void> = Promise.resolve();

export class LearntMeaning implements Meaning {
  readonly #index: ProductIndex;
  readonly #log: Log;
  #changed = 0;
  #learning: Promise<void> | null = null;
  #closed = false;

  constructor(index: ProductIndex, log: Log) {
    this.#index = index;
    this.#log = log;
  }

  get ready(): Promise<void> | null {
    return this.#index.vectors.dimensions > 0 ? null : this.#learning;
  }

  took(): void {
    this.#changed++;
  }

  restored(): void {
    this.#changed += this.#index.size;
  }

  follow(): void {
    const due = Math.max(RELEARN_MIN, this.#index.size * RELEARN_SHARE);
    if (this.#learning || (this.#index.vectors.dimensions > 0 && this.#changed < due)) return;
    this.#changed = 0;
    const learning = turn
      .then(() => (this.#closed ? undefined : learnMeaning(this.#index, pause)))
      .catch((problem) => this.#log.warn({ err: problem }, 'meanings were not learnt'))
      .finally(() => {
        this.#learning = null;
      });
    this.#learning = learning;
    turn = learning;
  }

  place(): undefined {
    return undefined;
  }

  close(): void {
    this.#closed = true;
  }
}
