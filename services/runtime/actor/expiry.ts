// Deletes snapshots of expired actors: see `expiresAt` of their kind.
import type { Postgres } from '#runtime/postgres/database.ts';

const ROWS_MAX = 5_000;
/** Hosts' clocks differ a little. */
const MARGIN_MS = 60_000;

/** Skips locked rows, so that no caller waits for this. Returns how many were deleted. */
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
