// The layout as this host knows it. A host that knows an old one does no harm: the logs that it knows of refuse it.
import type { CommitWatch } from '#runtime/postgres/commit_watch.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Layout } from './layout.ts';
import type { LayoutStore } from './layout_table.ts';

export interface LayoutViewOptions {
  readonly layout: Layout;
  readonly layouts: LayoutStore;
  /** A layout changes by a commit. */
  readonly commits: Pick<CommitWatch, 'listen'>;
  readonly log: Log;
}

export class LayoutView {
  readonly #options: LayoutViewOptions;
  #current: Layout;
  #changed: () => void = () => {};
  #stopListening: () => void = () => {};

  constructor(options: LayoutViewOptions) {
    this.#options = options;
    this.#current = options.layout;
  }

  get current(): Layout {
    return this.#current;
  }

  /** Reads the layout again after each commit from now on; calls `changed` for each new one. */
  start(changed: () => void): void {
    this.#changed = changed;
    this.#stopListening = this.#options.commits.listen(() => this.refreshSoon());
  }

  stop(): void {
    this.#stopListening();
  }

  /** As it is after this was called; throws where Postgres cannot be asked now. */
  async refresh(): Promise<Layout> {
    const read = await this.#options.layouts.read();
    // Of two answers the older one may come last.
    if (read.version > this.#current.version) {
      this.#current = read;
      const { epoch, partitions, retiring } = read;
      this.#options.log.info({ epoch, partitions, retiring: retiring.length }, 'actors are laid out anew');
      this.#changed();
    }
    return read;
  }

  /** The same where a host has said that there is a newer one than is known here. */
  noteVersion(version: number): void {
    if (version > this.#current.version) this.refreshSoon();
  }

  /** The same, now or later. */
  refreshSoon(): void {
    this.refresh().catch((problem) => this.#options.log.debug({ err: problem }, 'the layout is not known anew'));
  }
}
