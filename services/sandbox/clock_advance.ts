// Advances a sandbox's clock. Fires everything that is due on the way in order of time, across all domains.
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, type Due, isListed, separately } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { fireStep, STEP_ITEMS_MAX } from './advance_step.ts';

export interface AdvanceOutcome {
  readonly reached: number;
  readonly fired: readonly Fired[];
}

interface NextDue {
  readonly due: Due;
  next: number | null;
  id: string | null;
}

/** Fired items after which the consumers of their events are asked for due items again. */
const FOLLOWER_LAG_MAX = STEP_ITEMS_MAX;

type AdvanceRuntime = Pick<Runtime, 'clock' | 'domains' | 'log'> & {
  readonly postgres: Pick<Runtime['postgres'], 'sql' | 'transaction'>;
};

const follows = ({ due }: NextDue): boolean => !isListed(due) && due.follows === true;

/**
 * Advances the clock to the target, or as far as it gets until `endsAt`. The clock stays frozen at `reached`; after a
 * fault, at the last fired item.
 */
export const advanceClock = async (
  { clock, domains, log, postgres }: AdvanceRuntime,
  tenant: Tenant,
  target: number,
  endsAt: number,
): Promise<AdvanceOutcome> => {
  const since = clock.now(tenant).getTime();
  clock.freeze(tenant, since);
  const span: ClockAdvance = { since, until: target, target, endsAt };
  const nextDues: NextDue[] = domains.flatMap(({ due = [] }) =>
    due.map((each) => ({
      due: isListed(each) && each.separate ? separately({ clock, postgres }, each) : each,
      next: null,
      id: null,
    })),
  );
  const all = [...nextDues];
  const ask = (queried: readonly NextDue[]): Promise<unknown> =>
    Promise.all(
      queried.map(async (nextDue) => {
        const { due } = nextDue;
        const [first] = isListed(due) ? await due.list(postgres.sql, { tenant, until: new Date(target), max: 1 }) : [];
        nextDue.next = isListed(due) ? (first?.at ?? null) : await due.next(tenant, span);
        nextDue.id = first?.id ?? null;
      }),
    );
  const types: string[] = [];
  let unfollowed = 0;
  await ask(nextDues);
  for (;;) {
    const at = firstDueIndex(nextDues);
    const nextDue = nextDues[at];
    if (unfollowed > 0 && (!nextDue || follows(nextDue) || unfollowed >= FOLLOWER_LAG_MAX)) {
      unfollowed = 0;
      await ask(nextDues.filter(follows));
      continue;
    }
    if (!nextDue || nextDue.next === null) break;
    const { next: before, id } = nextDue;
    if (clock.real() >= endsAt) return { reached: Math.max(since, before), fired: countTypes(types) };
    const queried = isListed(nextDue.due)
      ? nextDues.filter(({ due }) => isListed(due))
      : follows(nextDue)
        ? nextDues
        : [nextDue];
    const fired = isListed(nextDue.due)
      ? await fireStep({ postgres, clock }, stepInput(nextDues, tenant, span))
      : eventTypes(await nextDue.due.run(tenant, { ...span, until: nextOtherDue(nextDues, at, target) }));
    types.push(...fired);
    if (!follows(nextDue)) unfollowed += fired.length;
    await ask(queried);
    if (fired.length === 0 && nextDue.next === before && nextDue.id === id && clock.real() < endsAt) {
      log.error(
        { store: tenant.store, at: new Date(before) },
        'skipped a due item that does not fire in a clock advance',
      );
      nextDues.splice(at, 1);
    }
  }
  await Promise.all(all.map(({ due }) => (isListed(due) ? null : due.settle?.(tenant))));
  return { reached: target, fired: countTypes(types) };
};

/**
 * Returns the index of the first item that is due; -1 if none is. If several are due at the same time, the first in the
 * list is chosen, so that every run is the same.
 */
const firstDueIndex = (nextDues: readonly NextDue[]): number => {
  let first = -1;
  nextDues.forEach(({ next }, at) => {
    if (next !== null && (first < 0 || next < nextDues[first]!.next!)) first = at;
  });
  return first;
};

const eventTypes = (fired: readonly Fired[]): string[] =>
  fired.flatMap(({ type, count }) => Array.from({ length: count }, () => type));

/**
 * Builds a step of all domains that share transactions. Each may advance until a domain with its own transactions is
 * due.
 */
const stepInput = (
  nextDues: readonly NextDue[],
  tenant: Tenant,
  { since, target }: ClockAdvance,
): Parameters<typeof fireStep>[1] => {
  const separate = nextDues.map((nextDue) => (isListed(nextDue.due) ? { ...nextDue, next: null } : nextDue));
  const domains = nextDues.flatMap(({ due }, at) =>
    isListed(due) ? [{ due, until: nextOtherDue(separate, at, target) }] : [],
  );
  return { tenant, since, domains };
};

/** Returns how far a domain can advance alone: until another domain is due. */
const nextOtherDue = (nextDues: readonly NextDue[], own: number, target: number): number =>
  nextDues.reduce((until, { next }, at) => {
    if (next === null || at === own) return until;
    return Math.min(until, at < own ? next - 1 : next);
  }, target);
