// What a partition lost: batches that its log does not have any more, records that cannot be read, states that cannot be
// written. Said loudly, counted, and remembered in Postgres, so that health tells of it for a day whichever host has the
// partition.
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { measure } from './measure.ts';
import type { Snapshots } from './snapshot.ts';

export interface Loss {
  /** One sentence for the log: what is missing, and what counts instead. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Hears of each loss once it is sure. */
export type ReportLoss = (loss: Loss) => void;

/** For how long health tells of it: a person looks once a day at the latest. */
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
  /** In Postgres, too. */
  #isSaved = true;

  constructor(partition: number, ports: LossPorts) {
    this.#partition = partition;
    this.#ports = ports;
  }

  /** Whether something was lost within the last day. */
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

  /** Learns what earlier owners lost. */
  async load(): Promise<void> {
    this.#lastAt = Math.max(this.#lastAt, (await this.#ports.snapshots.lostAt(this.#partition)) ?? this.#lastAt);
  }

  /** Notes for later owners what was heard; to be called again and again, since Postgres may be away. */
  save(): void {
    const { snapshots, log } = this.#ports;
    if (this.#isSaved) return;
    this.#isSaved = true;
    snapshots.noteLoss(this.#partition, this.#lastAt).catch((problem) => {
      this.#isSaved = false;
      log.debug({ err: problem, partition: this.#partition }, 'what was lost is noted later');
    });
  }
}
