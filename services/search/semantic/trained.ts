// Similarity by vectors trained on the store's own products. Trains again when enough products have changed.
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import type { Log } from '#runtime/process/log.ts';
import type { ProductIndex } from '#services/search/engine/product_index.ts';
import type { VectorSource } from '#services/search/engine/vector_space.ts';
import { trainVectors } from '#services/search/engine/vector_training.ts';

/** Share of changed products from which training starts again. */
const RETRAIN_SHARE = 0.2;
const RETRAIN_MIN = 20;

/** Trainings of all stores run one after another, because each occupies a processor for a moment. */
let lastTraining: Promise<void> = Promise.resolve();

export class TrainedVectors implements VectorSource {
  readonly #index: ProductIndex;
  readonly #log: Log;
  #changed = 0;
  #training: Promise<void> | null = null;
  #closed = false;

  constructor(index: ProductIndex, log: Log) {
    this.#index = index;
    this.#log = log;
  }

  get ready(): Promise<void> | null {
    return this.#index.vectors.dimensions > 0 ? null : this.#training;
  }

  productChanged(): void {
    this.#changed++;
  }

  restored(): void {
    this.#changed += this.#index.size;
  }

  update(): void {
    const due = Math.max(RETRAIN_MIN, this.#index.size * RETRAIN_SHARE);
    if (this.#training || (this.#index.vectors.dimensions > 0 && this.#changed < due)) return;
    this.#changed = 0;
    const learning = lastTraining
      .then(() => (this.#closed ? undefined : trainVectors(this.#index, yieldToEventLoop)))
      .catch((problem) => this.#log.warn({ err: problem }, 'failed to train vectors'))
      .finally(() => {
        this.#training = null;
      });
    this.#training = learning;
    lastTraining = learning;
  }

  queryVector(): undefined {
    return undefined;
  }

  close(): void {
    this.#closed = true;
  }
}
