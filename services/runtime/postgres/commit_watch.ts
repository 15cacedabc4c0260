// Finds out that transactions ended, on whichever host, by one look a second. Pollers rest while none did.
import type { Sql } from './sql.ts';

const LOOK_MS = 1_000;

export class CommitWatch {
  readonly #sql: Sql;
  readonly #able: () => boolean;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #snapshot = '';
  #looking = false;
  #count = 0;

  constructor(sql: Sql, able: () => boolean) {
    this.#sql = sql;
    this.#able = able;
  }

  /** Rises at the latest a second after a transaction that wrote has ended. */
  get count(): number {
    return this.#count;
  }

  /** Returns how to stop. The first listener starts the looks. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (!this.#timer) {
      this.#timer = setInterval(() => void this.#look(), LOOK_MS);
      this.#timer.unref();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #look(): Promise<void> {
    if (this.#looking || !this.#able()) return;
    this.#looking = true;
    try {
      // The list of running transactions changes with each that begins to write or ends; reads leave it alone.
      const [row] = await this.#sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
      if (row!.snapshot === this.#snapshot) return;
      this.#snapshot = row!.snapshot;
    } catch {
      // What ended meanwhile is not known.
      this.#snapshot = '';
    } finally {
      this.#looking = false;
    }
    this.#count++;
    for (const listener of this.#listeners) listener();
  }
}
