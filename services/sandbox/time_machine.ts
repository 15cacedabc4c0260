// Moves a sandbox through time: all that falls due on the way happens, in the order of time, whichever domain it is of.
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call.ts';
import { countTypes, type Due, type Jump } from '#runtime/due.ts';
import type { Foundation } from '#runtime/foundation.ts';

export interface Journey {
  /** Where it ended, by the tenant's clock: the target, unless time for it ran out. */
  readonly reached: number;
  readonly fired: readonly Fired[];
}

/** One domain's, and when it is due next. */
interface Stop {
  readonly due: Due;
  next: number | null;
}

/** The clock stands at `reached` afterwards, or wherever it was when something failed. */
export const travel = async (
  { clock, domains, log }: Pick<Foundation, 'clock' | 'domains' | 'log'>,
  tenant: Tenant,
  target: number,
  endsAt: number,
): Promise<Journey> => {
  const since = clock.now(tenant).getTime();
  clock.stand(tenant, since);
  const whole: Jump = { since, until: target, endsAt };
  const ask = async (stop: Stop): Promise<void> => {
    stop.next = await stop.due.next(tenant, whole);
  };
  const stops: Stop[] = domains.flatMap(({ due = [] }) => due.map((each) => ({ due: each, next: null })));
  await Promise.all(stops.map(ask));
  const types: string[] = [];
  for (;;) {
    const at = firstOf(stops);
    const stop = stops[at];
    if (!stop || stop.next === null) break;
    if (clock.real() >= endsAt) return { reached: Math.max(since, stop.next), fired: countTypes(types) };
    const before = stop.next;
    const fired = await stop.due.run(tenant, { ...whole, until: horizonOf(stops, at, target) });
    for (const { type, count } of fired) for (let n = 0; n < count; n++) types.push(type);
    await Promise.all(stops.filter((each) => each === stop || each.due.follows).map(ask));
    if (fired.length === 0 && stop.next === before && clock.real() < endsAt) {
      log.error({ store: tenant.store, at: new Date(before) }, 'what is due does not happen: passed over in a jump');
      stops.splice(at, 1);
    }
  }
  return { reached: target, fired: countTypes(types) };
};

/** Of those due at one moment the first one listed: every time the same. -1: nothing is due. */
const firstOf = (stops: readonly Stop[]): number => {
  let first = -1;
  stops.forEach(({ next }, at) => {
    if (next !== null && (first < 0 || next < stops[first]!.next!)) first = at;
  });
  return first;
};

/** How far it may go alone: up to where another one's turn comes. */
const horizonOf = (stops: readonly Stop[], own: number, target: number): number =>
  stops.reduce((until, { next }, at) => {
    if (next === null || at === own) return until;
    return Math.min(until, at < own ? next - 1 : next);
  }, target);
