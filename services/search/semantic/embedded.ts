// Similarity by an embedding service: embeds products in the background and each query during its search. While the
// service fails, searches use words alone.
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { SearchDocument } from '#services/search/engine/document.ts';
import type { ProductIndex } from '#services/search/engine/product_index.ts';
import { normalized } from '#services/search/engine/vector.ts';
import type { VectorSource } from '#services/search/engine/vector_space.ts';
import { BATCH_TEXTS, type EmbeddingEndpoint } from './endpoint.ts';

/** Maximum number of texts that wait for embedding; if more change, all products are scanned again later. */
const WAITING_MAX = 2_000;
const RETRY_MS = 5_000;
/** How long queries do not call the service after a failure. */
const RETRY_QUERY_MS = 2_000;
const QUERIES_MAX = 2_000;

/** Caches embeddings of queries for all stores, because an embedding depends only on the model. */
export class QueryEmbeddings {
  readonly #endpoint: EmbeddingEndpoint;
  readonly #clock: Pick<Clock, 'real'>;
  readonly #cache: LookupCache<string, Float32Array | null, { readonly timeoutMs: number }>;
  #restsUntil = 0;

  constructor(endpoint: EmbeddingEndpoint, clock: Pick<Clock, 'real'>, log: Log) {
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#cache = new LookupCache<string, Float32Array | null, { readonly timeoutMs: number }>({
      now: () => clock.real(),
      entriesMax: QUERIES_MAX,
      load: async (text, { timeoutMs }) => {
        try {
          const [vector] = await endpoint.embed([text], timeoutMs);
          return { value: normalized(vector!), ttlMs: Number.POSITIVE_INFINITY };
        } catch (problem) {
          this.#restsUntil = clock.real() + RETRY_QUERY_MS;
          log.warn({ err: problem }, 'failed to embed a query, searched by words');
          return { value: null, ttlMs: 0 };
        }
      },
    });
  }

  async find(text: string, deadline: number): Promise<Float32Array | null> {
    const now = this.#clock.real();
    const timeoutMs = Math.min(this.#endpoint.queryTimeoutMs, deadline - now);
    const mayAsk = now >= this.#restsUntil && timeoutMs > 0;
    return mayAsk || this.#cache.peek(text) ? this.#cache.get(text, { timeoutMs }) : null;
  }
}

export type AllDocuments = () => AsyncIterable<readonly SearchDocument[]>;

export class EmbeddedVectors implements VectorSource {
  readonly #index: ProductIndex;
  readonly #endpoint: EmbeddingEndpoint;
  readonly #queries: QueryEmbeddings;
  readonly #all: AllDocuments;
  readonly #log: Log;
  readonly #waiting = new Map<string, string>();
  #overflown = false;
  #working: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #closed = false;

  constructor(index: ProductIndex, endpoint: EmbeddingEndpoint, queries: QueryEmbeddings, all: AllDocuments, log: Log) {
    this.#index = index;
    this.#endpoint = endpoint;
    this.#queries = queries;
    this.#all = all;
    this.#log = log;
  }

  get ready(): null {
    return null;
  }

  productChanged(document: SearchDocument): void {
    // Ignores changes of prices and stock, which leave the embedding as it is.
    if (this.#isPlaced(document.id) || this.#overflown) return;
    if (this.#waiting.size < WAITING_MAX) this.#waiting.set(document.id, textOf(document));
    else this.#overflown = true;
  }

  restored(): void {
    this.#overflown = true;
  }

  update(): void {
    if (this.#working || this.#timer || this.#closed || (this.#waiting.size === 0 && !this.#overflown)) return;
    this.#working = this.#work()
      .catch((problem) => {
        this.#log.warn({ err: problem }, 'failed to embed products, will retry');
        if (this.#closed) return;
        this.#timer = setTimeout(() => {
          this.#timer = null;
          this.update();
        }, RETRY_MS);
        this.#timer.unref();
      })
      .finally(() => {
        this.#working = null;
        this.update();
      });
  }

  async queryVector(query: string, deadline: number): Promise<Float32Array | null> {
    const place = await this.#queries.find(query, deadline);
    return place !== null && place.length === this.#index.vectors.dimensions ? place : null;
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #work(): Promise<void> {
    while (!this.#closed && (this.#waiting.size > 0 || this.#overflown)) {
      if (this.#waiting.size > 0) await this.#embed([...this.#waiting].slice(0, BATCH_TEXTS));
      else await this.#goThrough();
    }
  }

  async #goThrough(): Promise<void> {
    this.#overflown = false;
    try {
      for await (const documents of this.#all()) {
        const due = documents.filter(({ id }) => !this.#isPlaced(id)).map((each) => [each.id, textOf(each)] as const);
        for (let at = 0; at < due.length; at += BATCH_TEXTS) await this.#embed(due.slice(at, at + BATCH_TEXTS));
        if (this.#closed) return;
      }
    } catch (problem) {
      this.#overflown = true;
      throw problem;
    }
  }

  async #embed(batch: readonly (readonly [id: string, text: string])[]): Promise<void> {
    const found = await this.#endpoint.embed(batch.map(([, text]) => text));
    const { vectors, productIds } = this.#index;
    const dimensions = found[0]?.length ?? 0;
    if (dimensions !== vectors.dimensions) {
      // Another length means the first embeddings or another model, with which earlier embeddings are not comparable.
      if (vectors.dimensions > 0) this.#overflown = true;
      vectors.replace(dimensions, this.#index.docIdLimit, null);
    }
    for (const [at, [id, text]] of batch.entries()) {
      const changed = this.#waiting.get(id);
      if (changed !== undefined && changed !== text) continue;
      this.#waiting.delete(id);
      const docId = productIds.find(id);
      if (docId >= 0) vectors.set(docId, found[at]!);
    }
  }

  #isPlaced(id: string): boolean {
    const docId = this.#index.productIds.find(id);
    return docId >= 0 && this.#index.vectors.has(docId);
  }
}

const textOf = ({ texts }: SearchDocument): string =>
  [texts.name, texts.brand, texts.category, texts.description, texts.attribute]
    .filter((text) => text !== '')
    .join('\n');
