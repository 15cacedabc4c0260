// Lists what all partitions of a host share.
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { Kinds } from './address.ts';
import type { Journal } from './journal.ts';
import type { LayoutStore } from './layout_table.ts';
import type { LayoutView } from './layout_view.ts';
import type { Snapshots } from './snapshot.ts';
import type { Timers } from './timer.ts';

export interface PartitionPorts {
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly timers: Timers;
  readonly clock: Clock;
  readonly seal: Seal;
  readonly kinds: Kinds;
  readonly log: Log;
  readonly nonce: () => string;
  readonly layouts: LayoutStore;
  readonly layout: LayoutView;
  /** Actors in memory of all partitions; the least recently used are evicted. */
  readonly loadedMax: number;
  readonly idleMsMax: number;
}
