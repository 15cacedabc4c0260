// Records what a partition lost: missing batches, unreadable records, states that cannot be written. Each loss is
// logged, counted and stored in Postgres, so that health checks on any host report it for a day.
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { measure } from './measure.ts';
import type { Snapshots } from './snapshot.ts';

export interface Loss {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type ReportLoss = (loss: Loss) => void;

/** How long health reports a loss, since operators check at least once a day. */
const REPORTED_MS = 24 * 3_600_000;

interface LossPorts {
  readonly snapshots: Pick<Snapshots, 'lostAt' | 'noteLoss'>;
  readonly clock: Pick<Clock, 'real'>;
  readonly log: Log;
}

export class DataLossLog {
  readonly #partition: number;
  readonly #ports: LossPorts;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isSaved = true;

  constructor(partition: number, ports: LossPorts) {
    this.#partition = partition;
    this.#ports = ports;
  }

  get isRecent(): boolean {
    return this.#ports.clock.real() - this.#lastAt < REPORTED_MS;
  }

  readonly report: ReportLoss = ({ text, fields }) => {
    const { clock, log } = this.#ports;
    this.#lastAt = clock.real();
    this.#isSaved = false;
    measure.gap();
    log.error({ partition: this.#partition, ...fields }, text);
  };

  async load(): Promise<void> {
    this.#lastAt = Math.max(this.#lastAt, (await this.#ports.snapshots.lostAt(this.#partition)) ?? this.#lastAt);
  }

  save(): void {
    const { snapshots, log } = this.#ports;
    if (this.#isSaved) return;
    this.#isSaved = true;
    snapshots.noteLoss(this.#partition, this.#lastAt).catch((problem) => {
      this.#isSaved = false;
      log.debug({ err: problem, partition: this.#partition }, 'failed to store a data loss; will retry');
    });
  }
}
