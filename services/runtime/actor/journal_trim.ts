// Trims the journal with one cut: deletes all messages before the first one that some partition still needs. Deleting
// each partition's messages separately costs the broker an fsync for each: 450 of them stopped every partition for 200
// to 1,000 ms, one cut takes 1 to 5 ms (measured).

import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Journal } from './journal.ts';
import type { LayoutView } from './layout_view.ts';
import type { Partition } from './partition.ts';
import type { Snapshots } from './snapshot.ts';

const TRIM_MS = 15_000;
/**
 * Number of messages that an idle partition may lag behind the journal's end. A partition further behind writes an
 * empty batch, since the journal keeps everything from the partition's last batch on.
 */
const BEHIND_MAX = 500;

export interface JournalTrimOptions {
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly log: Log;
  readonly layout: Pick<LayoutView, 'current'>;
  readonly held: () => readonly Pick<Partition, 'number' | 'prove'>[];
}

export class JournalTrim {
  readonly #options: JournalTrimOptions;
  #cancel: () => void = () => {};
  #cutAt = 0;

  constructor(options: JournalTrimOptions) {
    this.#options = options;
  }

  start(): void {
    const { timers, log } = this.#options;
    this.#cancel = timers.after(TRIM_MS, () => {
      this.start();
      this.trim().catch((problem) => log.debug({ err: problem }, 'failed to trim the journal; will retry'));
    });
  }

  stop(): void {
    this.#cancel();
  }

  /**
   * Trims up to the oldest of the partitions' last projected batches. These batches are kept, so that the end of each
   * log stays visible.
   */
  async trim(): Promise<void> {
    const { journal, snapshots, layout, held } = this.#options;
    const { numbers, first } = layout.current;
    if (held().length === 0) return;
    const positions = await snapshots.positions();
    const head = await journal.head();
    const sequences = Array.from(positions.values(), ({ sequence }) => sequence);
    // Trims only after every partition was projected, and not where the journal was recreated with lower sequences.
    if (numbers.some((number) => !positions.has(number)) || Math.max(...sequences) > head) return;
    for (const partition of held())
      if (head - (positions.get(partition.number)?.sequence ?? 0) > BEHIND_MAX) partition.prove();
    const before = Math.min(...sequences);
    if (before === this.#cutAt || !held().some(({ number }) => number === first)) return;
    await journal.trim(before);
    this.#cutAt = before;
  }
}
