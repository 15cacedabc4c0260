// Moves a sandbox through time: all that falls due on the way happens, in the order of time, whichever domain it is of.
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, type Due, isShared } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { STRIDE_THINGS_MAX, stride } from './stride.ts';

export interface Journey {
  /** Where it ended, by the tenant's clock: the target, unless time for it ran out. */
  readonly reached: number;
  readonly fired: readonly Fired[];
}

/** One domain's, and when it is due next. */
interface Stop {
  readonly due: Due;
  next: number | null;
  /** Which thing that is, where that is known. */
  id: string | null;
}

/** Those who follow others' events are behind them by about so many things. */
const BEHIND_MAX = STRIDE_THINGS_MAX;

type Parts = Pick<Runtime, 'clock' | 'domains' | 'log'> & {
  readonly postgres: Pick<Runtime['postgres'], 'sql' | 'transaction'>;
};

const follows = ({ due }: Stop): boolean => !isShared(due) && due.follows === true;

/** The clock stands at `reached` afterwards, or where it was when something failed. */
export const travel = async (
  { clock, domains, log, postgres }: Parts,
  tenant: Tenant,
  target: number,
  endsAt: number,
): Promise<Journey> => {
  const since = clock.now(tenant).getTime();
  clock.freeze(tenant, since);
  const whole: ClockAdvance = { since, until: target, target, endsAt };
  const stops: Stop[] = domains.flatMap(({ due = [] }) => due.map((each) => ({ due: each, next: null, id: null })));
  const all = [...stops];
  const ask = (asked: readonly Stop[]): Promise<unknown> =>
    Promise.all(
      asked.map(async (stop) => {
        const { due } = stop;
        const [first] = isShared(due) ? await due.list(postgres.sql, tenant, target, 1) : [];
        stop.next = isShared(due) ? (first?.at ?? null) : await due.next(tenant, whole);
        stop.id = first?.id ?? null;
      }),
    );
  const types: string[] = [];
  let unheard = 0;
  await ask(stops);
  for (;;) {
    const at = firstOf(stops);
    const stop = stops[at];
    if (unheard > 0 && (!stop || follows(stop) || unheard >= BEHIND_MAX)) {
      unheard = 0;
      await ask(stops.filter(follows));
      continue;
    }
    if (!stop || stop.next === null) break;
    const { next: before, id } = stop;
    if (clock.real() >= endsAt) return { reached: Math.max(since, before), fired: countTypes(types) };
    const asked = isShared(stop.due) ? stops.filter(({ due }) => isShared(due)) : follows(stop) ? stops : [stop];
    const fired = isShared(stop.due)
      ? await stride({ postgres, clock }, strideOf(stops, tenant, whole))
      : typesOf(await stop.due.run(tenant, { ...whole, until: horizonOf(stops, at, target) }));
    types.push(...fired);
    if (!follows(stop)) unheard += fired.length;
    // Listeners to events may have done something about them.
    await ask(asked);
    if (fired.length === 0 && stop.next === before && stop.id === id && clock.real() < endsAt) {
      log.error({ store: tenant.store, at: new Date(before) }, 'what is due does not happen: passed over in a jump');
      stops.splice(at, 1);
    }
  }
  await Promise.all(all.map(({ due }) => (isShared(due) ? null : due.settle?.(tenant))));
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

const typesOf = (fired: readonly Fired[]): string[] =>
  fired.flatMap(({ type, count }) => Array.from({ length: count }, () => type));

/** As many as may go together: each as far as the turn of one that walks apart. */
const strideOf = (
  stops: readonly Stop[],
  tenant: Tenant,
  { since, target }: ClockAdvance,
): Parameters<typeof stride>[1] => {
  const apart = stops.map((stop) => (isShared(stop.due) ? { ...stop, next: null } : stop));
  const legs = stops.flatMap(({ due }, at) => (isShared(due) ? [{ due, until: horizonOf(apart, at, target) }] : []));
  return { tenant, since, legs };
};

/** How far it may go alone: up to where another one's turn comes. */
const horizonOf = (stops: readonly Stop[], own: number, target: number): number =>
  stops.reduce((until, { next }, at) => {
    if (next === null || at === own) return until;
    return Math.min(until, at < own ? next - 1 : next);
  }, target);
