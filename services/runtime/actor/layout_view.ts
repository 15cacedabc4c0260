// Holds the layout as this host knows it. An outdated view is harmless: sealed logs refuse commands.
import type { CommitWatch } from '#runtime/postgres/commit_watch.ts';
import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Layout } from './layout.ts';
import type { LayoutStore } from './layout_table.ts';

export interface LayoutViewOptions {
  readonly layout: Layout;
  readonly layouts: LayoutStore;
  /** Signals commits, since a layout changes only by a commit. */
  readonly commits: Pick<CommitWatch, 'listen'>;
  readonly timers: Pick<Timers, 'after'>;
  readonly log: Log;
}

const RETRY_MS = 1_000;

export class LayoutView {
  readonly #options: LayoutViewOptions;
  #current: Layout;
  #changed: () => void = () => {};
  #stopListening: () => void = () => {};
  #cancelRetry: () => void = () => {};
  #stopped = false;

  constructor(options: LayoutViewOptions) {
    this.#options = options;
    this.#current = options.layout;
  }

  get current(): Layout {
    return this.#current;
  }

  /** Reads the layout after each commit from now on, and calls `changed` for each new layout. */
  start(changed: () => void): void {
    this.#changed = changed;
    this.#stopListening = this.#options.commits.listen(() => this.refreshSoon());
  }

  stop(): void {
    this.#stopped = true;
    this.#stopListening();
    this.#cancelRetry();
  }

  async refresh(): Promise<Layout> {
    const read = await this.#options.layouts.read();
    // Ignores an older layout, since answers may arrive out of order.
    if (read.version > this.#current.version) {
      this.#current = read;
      const { epoch, partitions, retiring } = read;
      this.#options.log.info({ epoch, partitions, retiring: retiring.length }, 'changed the layout of actors');
      this.#changed();
    }
    return read;
  }

  noteVersion(version: number): void {
    if (version > this.#current.version) this.refreshSoon();
  }

  refreshSoon(): void {
    this.refresh().catch((problem) => {
      this.#options.log.debug({ err: problem }, 'failed to read the layout; will retry');
      this.#cancelRetry();
      if (!this.#stopped) this.#cancelRetry = this.#options.timers.after(RETRY_MS, () => this.refreshSoon());
    });
  }
}
