// Throws away the snapshots of actors that count for nothing any more: see `lapsesAt` of their kind.
import type { Postgres } from '#runtime/postgres/database.ts';

const ROWS_MAX = 5_000;
/** Clocks of hosts differ a little. */
const MARGIN_MS = 60_000;

/**
 * Rows that are being written are left for the next time, so that no caller ever waits for a lock behind this. Returns how
 * many went.
 */
export const sweepExpired = async ({ sql }: Postgres, nowMs: number): Promise<number> => {
  for (let gone = 0; ; ) {
    const { count } = await sql`
      delete from runtime.actor where ctid = any(array(
        select ctid from runtime.actor where expires_at <= ${nowMs - MARGIN_MS}
        order by expires_at limit ${ROWS_MAX} for update skip locked))`;
    gone += count;
    if (count < ROWS_MAX) return gone;
  }
};
