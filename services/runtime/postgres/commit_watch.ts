// Detects commits of all hosts with one query a second, so that pollers can rest until something has changed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from './sql.ts';

const LOOK_MS = 1_000;
/** Longest time in ms that a listener's work delays the next listener. */
const TURN_MS_MAX = 20;

export class CommitWatch {
  readonly #sql: Sql;
  readonly #able: () => boolean;
  readonly #listeners = new Set<() => unknown>();
  #timer: ReturnType<typeof setInterval> | null = null;
  #snapshot = '';
  #looking = false;
  #count = 0;

  constructor(sql: Sql, able: () => boolean) {
    this.#sql = sql;
    this.#able = able;
  }

  /** Increases within a second after any writing transaction has ended. */
  get count(): number {
    return this.#count;
  }

  /**
   * Calls the listener after commits and waits a moment for a promise that it returns. The first listener starts the
   * queries. Returns a function that stops this.
   */
  listen(listener: () => unknown): () => void {
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
      // Writing transactions change the snapshot when they start writing and when they end; reads do not.
      const [row] = await this.#sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
      if (row!.snapshot === this.#snapshot) return;
      this.#snapshot = row!.snapshot;
    } catch {
      this.#snapshot = '';
    } finally {
      this.#looking = false;
    }
    this.#count++;
    await this.#tell();
  }

  /** Calls the listeners in turn, so that they share a connection instead of opening one each. */
  async #tell(): Promise<void> {
    for (const listener of this.#listeners)
      await Promise.race([listener(), sleep(TURN_MS_MAX, undefined, { ref: false })]);
  }
}
