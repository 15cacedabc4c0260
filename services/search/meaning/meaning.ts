// Where meanings come from: the port behind which the built-in space and a service for embeddings stand.
import type { SearchDocument } from '#services/search/engine/document.ts';

/** Of one tenant's index. */
export interface Meaning {
  /** Told of each product that came or changed. */
  took(document: SearchDocument): void;
  /** Told of an index that was read as it was saved: its products came without their documents. */
  restored(): void;
  /** Brings the products' places up to date in the background, where that is due. */
  follow(): void;
  /** Resolves once meanings are known as far as they can be; null where they are, or where none are to come. */
  readonly ready: Promise<void> | null;
  /**
   * Where a query stands among the products: undefined where its words say so by themselves, null where no service can say
   * now, and the search is by words alone.
   */
  place(query: string, deadline: number): Promise<Float32Array | null> | undefined;
  close(): void;
}

/** Lets other calls be answered. */
export const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume));
