// Pages of the live holds of one variant, the first to expire first. Pure.
import type { Hold } from './hold.ts';

/** Place of a hold in the list. */
export type HoldPlace = Pick<Hold, 'until' | 'id'>;

const compare = (a: HoldPlace, b: HoldPlace): number => a.until - b.until || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Returns the first `limit` holds behind `after` that have not ended by `now`. */
export const pageOfHolds = (
  holds: readonly Hold[],
  now: number,
  after: HoldPlace | null,
  limit: number,
): readonly Hold[] =>
  holds
    .filter(({ status, until }) => status === 'pending' && until > now)
    .filter((hold) => after === null || compare(hold, after) > 0)
    .sort(compare)
    .slice(0, limit);
