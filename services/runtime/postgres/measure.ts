// Exports metrics of a host's database, and tests whether a server that refused writes accepts them again.
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { gauge, gauges } from '#runtime/process/metric.ts';
import type { Postgres } from './database.ts';

const LOOK_MS = 5_000;
const COUNTED_MAX = 100_000;

interface Look {
  readonly atMs: number;
  readonly newest: bigint;
}

const pool = gauges('postgres_pool', 'Connections open and lent, and callers who wait for one.', 'state');
let rows = 0;
let ageS = 0;
gauge('outbox_depth', `Writes whose events are not published yet, ${COUNTED_MAX} at most.`, () => rows);
gauge('outbox_age_seconds', 'For how long the oldest of them has waited, to within five seconds.', () => ageS);

/**
 * Estimates the age of the outbox's oldest row. Rows have no time, so a row is as old as the first check at which
 * positions had reached it.
 */
export class OutboxAge {
  #looks: Look[] = [];

  /** Returns how many seconds ago the row at `oldest` was first seen; 0 for an empty outbox. */
  look(atMs: number, oldest: bigint | null, newest: bigint | null): number {
    if (oldest === null || newest === null) {
      this.#looks = [];
      return 0;
    }
    this.#looks = [...this.#looks.filter((look) => look.newest >= oldest), { atMs, newest }];
    return (atMs - this.#looks[0]!.atMs) / 1_000;
  }
}

export const startPostgresMeasures = (postgres: Postgres, clock: Clock, log: Log): (() => void) => {
  pool.of('open', () => postgres.load.connections);
  pool.of('busy', () => postgres.load.busy);
  pool.of('waiting', () => postgres.load.waiting);
  const age = new OutboxAge();
  const look = async (): Promise<void> => {
    const [found] = await postgres.sql<[{ rows: number; oldest: string | null; newest: string | null }]>`
      select count(*)::int as rows, min(position)::text as oldest, max(position)::text as newest
      from (select position from runtime.outbox order by position limit ${COUNTED_MAX}) as waiting`;
    rows = found.rows;
    const [oldest, newest] = [found.oldest, found.newest].map((text) => (text === null ? null : BigInt(text)));
    ageS = age.look(performance.now(), oldest ?? null, newest ?? null);
  };
  const failed = (problem: unknown): void => log.debug({ err: problem }, 'failed to measure the outbox');
  const stops = [
    repeatedly({
      everyMs: LOOK_MS,
      able: () => postgres.available,
      resting: { postgres, clock, nextDue: async () => dueAtOnce(rows > 0) },
      work: look,
      failed,
    }),
    // While the server refuses writes, callers are refused without an attempt, so only this probe finds out when writes
    // work again.
    repeatedly({
      everyMs: LOOK_MS,
      able: () => postgres.available && postgres.refusesWrites,
      work: () => postgres.probeWrite(),
      failed: () => {},
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
