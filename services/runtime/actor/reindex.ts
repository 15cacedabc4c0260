// Rewrites idle actors' log numbers after a change of the layout. Until then every host reads the rows of sealed logs
// and skips other hosts' actors.

import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { LayoutStore } from './layout_table.ts';
import type { LayoutView } from './layout_view.ts';

const LOOK_MS = 1_000;
const REST_MS = 20;

export interface ActorReindexOptions {
  readonly layouts: LayoutStore;
  readonly layout: LayoutView;
  readonly timers: Timers;
  readonly log: Log;
  readonly owns: (partition: number) => boolean;
}

export class ActorReindex {
  readonly #options: ActorReindexOptions;
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(options: ActorReindexOptions) {
    this.#options = options;
  }

  start(): void {
    const { timers, log } = this.#options;
    this.#cancel = timers.after(LOOK_MS, () => {
      this.#reindex()
        .catch((problem) => log.debug({ err: problem }, 'failed to reindex actors; will retry'))
        .finally(() => {
          if (!this.#stopped) this.start();
        });
    });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  async #reindex(): Promise<void> {
    const { layout, layouts, timers, owns } = this.#options;
    const { current } = layout;
    if (!current.previous || current.retiring.length > 0 || !owns(current.first)) return;
    while (await layouts.reindex(current)) {
      await timers.sleep(REST_MS);
      if (this.#stopped) return;
    }
    layout.refreshSoon();
  }
}
