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

/** Those who follow others' events are behind them by so many things at most. */
const BEHIND_MAX = 50;

/** The clock stands at `reached` afterwards, or wherever it was when something failed. */
export const travel = async (
  { clock, domains, log }: Pick<Foundation, 'clock' | 'domains' | 'log'>,
  tenant: Tenant,
  target: number,
  endsAt: number,
): Promise<Journey> => {
  const since = clock.now(tenant).getTime();
  clock.stand(tenant, since);
  const whole: Jump = { since, until: target, target, endsAt };
  const stops: Stop[] = domains.flatMap(({ due = [] }) => due.map((each) => ({ due: each, next: null })));
  const all = [...stops];
  const ask = (asked: readonly Stop[]): Promise<unknown> =>
    Promise.all(
      asked.map(async (stop) => {
        stop.next = await stop.due.next(tenant, whole);
      }),
    );
  const types: string[] = [];
  let unheard = 0;
  await ask(stops);
  for (;;) {
    const at = firstOf(stops);
    const stop = stops[at];
    if (unheard > 0 && (!stop || stop.due.follows || unheard >= BEHIND_MAX)) {
      unheard = 0;
      await ask(stops.filter(({ due }) => due.follows));
      continue;
    }
    if (!stop || stop.next === null) break;
    const before = stop.next;
    if (clock.real() >= endsAt) return { reached: Math.max(since, before), fired: countTypes(types) };
    const fired = await stop.due.run(tenant, { ...whole, until: horizonOf(stops, at, target) });
    for (const { type, count } of fired) for (let n = 0; n < count; n++) types.push(type);
    if (!stop.due.follows) unheard += fired.reduce((sum, { count }) => sum + count, 0);
    // Whoever hears of events may have done something about them.
    await ask(stop.due.follows ? stops : [stop]);
    if (fired.length === 0 && stop.next === before && clock.real() < endsAt) {
      log.error({ store: tenant.store, at: new Date(before) }, 'what is due does not happen: passed over in a jump');
      stops.splice(at, 1);
    }
  }
  await Promise.all(all.map(({ due }) => due.settle?.(tenant)));
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
