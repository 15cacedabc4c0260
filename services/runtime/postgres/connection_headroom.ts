// Records that the server refuses further connections, which a health check on an open connection does not show.
import { faultCode } from '#runtime/call/fault.ts';
import type { Log } from '#runtime/process/log.ts';
import { counter } from '#runtime/process/metric.ts';

const LACKING_MS = 10_000;
const TOO_MANY_CONNECTIONS = '53300';

const refusals = counter('postgres_refusals_total', 'Connections that Postgres had no room for.');

export const isLackOfRoom = (problem: unknown): boolean => faultCode(problem) === TOO_MANY_CONNECTIONS;

export class ConnectionHeadroom {
  readonly #log: Pick<Log, 'warn'>;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  get lacking(): boolean {
    return performance.now() - this.#refusedAt < LACKING_MS;
  }

  refused(problem: unknown): void {
    refusals.inc();
    if (!this.lacking) this.#log.warn({ err: problem }, 'refused by the database: no room for another connection');
    this.#refusedAt = performance.now();
  }
}
