// Tracks whether Postgres accepts writes. With a full disk or a read-only server reads still work, so health checks
// would not show it.
import { faultCode } from '#runtime/call/fault.ts';
import type { Log } from '#runtime/process/log.ts';
import { counter } from '#runtime/process/metric.ts';

const DISK_FULL = '53100';
const READ_ONLY = '25006';

const refusals = counter(
  'postgres_write_refusals_total',
  'Writes that Postgres refused: its disk is full or it only reads.',
);

export class WriteState {
  readonly #log: Pick<Log, 'warn' | 'info'>;
  #refusing = false;

  constructor(log: Pick<Log, 'warn' | 'info'>) {
    this.#log = log;
  }

  get refusing(): boolean {
    return this.#refusing;
  }

  failed(problem: unknown): void {
    const code = faultCode(problem instanceof Error && problem.cause ? problem.cause : problem);
    if (code !== DISK_FULL && code !== READ_ONLY) return;
    refusals.inc();
    if (!this.#refusing) this.#log.warn({ err: problem }, 'the database refuses writes');
    this.#refusing = true;
  }

  taken(): void {
    if (this.#refusing) this.#log.info('the database takes writes again');
    this.#refusing = false;
  }
}
