// What a partition lost: batches that its log does not have any more, records that cannot be read, states that cannot be
// written. Said loudly, counted, and remembered for as long as the partition is held here.
import type { Log } from '#runtime/process/log.ts';
import { measure } from './measure.ts';

export interface Loss {
  /** One sentence for the log: what is missing, and what counts instead. */
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Hears of each loss once it is sure. */
export type HearLoss = (loss: Loss) => void;

export class Losses {
  readonly #partition: number;
  readonly #log: Log;
  #count = 0;

  constructor(partition: number, log: Log) {
    this.#partition = partition;
    this.#log = log;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  readonly hear: HearLoss = ({ text, fields }) => {
    this.#count++;
    measure.gap();
    this.#log.error({ partition: this.#partition, ...fields }, text);
  };
}
