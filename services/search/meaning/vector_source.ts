// The port of vector sources: the trained space or an embedding service.
import type { SearchDocument } from '#services/search/engine/document.ts';

export interface VectorSource {
  productChanged(document: SearchDocument): void;
  /** A restored index comes without documents. */
  restored(): void;
  update(): void;
  /** Resolves when vectors are available; null if they are, or none will come. */
  readonly ready: Promise<void> | null;
  /** Undefined to derive it from terms; null if the service fails, and words must do. */
  queryVector(query: string, deadline: number): Promise<Float32Array | null> | undefined;
  close(): void;
}

export const yieldToEventLoop = (): Promise<void> => new Promise((resume) => setImmediate(resume));
