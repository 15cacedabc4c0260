// Pages of the live holds of one variant: pinned ones, then pending ones, the first to expire first. Pure.
import type { Hold } from './hold.ts';

/** Place of a hold in the list. `until` is 0 for a pinned hold, whose own time changes while it awaits its order. */
export interface HoldPlace {
  readonly until: number;
  readonly id: string;
}

export const placeOf = ({ id, status, until }: Hold): HoldPlace => ({ until: status === 'pinned' ? 0 : until, id });

const compare = (a: HoldPlace, b: HoldPlace): number => a.until - b.until || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** Returns the first `limit` holds behind `after` that have not ended by `now`. */
export const pageOfHolds = (
  holds: readonly Hold[],
  now: number,
  after: HoldPlace | null,
  limit: number,
): readonly Hold[] =>
  holds
    .filter(({ status, until }) => status === 'pinned' || (status === 'pending' && until > now))
    .filter((hold) => after === null || compare(placeOf(hold), after) > 0)
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
    .slice(0, limit);
