// Advances a sandbox's clock: everything due in between fires in order of time, across domains.
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, type Due, isShared } from '#runtime/domain/due.ts';
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

/** Followers of events lag behind by about this many items. */
const FOLLOWER_LAG_MAX = STEP_ITEMS_MAX;

type AdvanceRuntime = Pick<Runtime, 'clock' | 'domains' | 'log'> & {
  readonly postgres: Pick<Runtime['postgres'], 'sql' | 'transaction'>;
};

const follows = ({ due }: NextDue): boolean => !isShared(due) && due.follows === true;

/** The clock is left at `reached`, or where it was when something failed. */
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
    due.map((each) => ({ due: each, next: null, id: null })),
  );
  const all = [...nextDues];
  const ask = (queried: readonly NextDue[]): Promise<unknown> =>
    Promise.all(
      queried.map(async (nextDue) => {
        const { due } = nextDue;
        const [first] = isShared(due) ? await due.list(postgres.sql, tenant, target, 1) : [];
        nextDue.next = isShared(due) ? (first?.at ?? null) : await due.next(tenant, span);
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
    const queried = isShared(nextDue.due)
      ? nextDues.filter(({ due }) => isShared(due))
      : follows(nextDue)
        ? nextDues
        : [nextDue];
    const fired = isShared(nextDue.due)
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
  await Promise.all(all.map(({ due }) => (isShared(due) ? null : due.settle?.(tenant))));
  return { reached: target, fired: countTypes(types) };
};

/** The first listed of those due at one moment, so that every run is the same; -1 where nothing is due. */
const firstDueIndex = (nextDues: readonly NextDue[]): number => {
  let first = -1;
  nextDues.forEach(({ next }, at) => {
    if (next !== null && (first < 0 || next < nextDues[first]!.next!)) first = at;
  });
  return first;
};

const eventTypes = (fired: readonly Fired[]): string[] =>
  fired.flatMap(({ type, count }) => Array.from({ length: count }, () => type));

/** Groups the domains that share transactions, each up to where a domain with its own transactions is due. */
const stepInput = (
  nextDues: readonly NextDue[],
  tenant: Tenant,
  { since, target }: ClockAdvance,
): Parameters<typeof fireStep>[1] => {
  const separate = nextDues.map((nextDue) => (isShared(nextDue.due) ? { ...nextDue, next: null } : nextDue));
  const domains = nextDues.flatMap(({ due }, at) =>
    isShared(due) ? [{ due, until: nextOtherDue(separate, at, target) }] : [],
  );
  return { tenant, since, domains };
};

/** How far a domain may go alone: to where another one is due. */
const nextOtherDue = (nextDues: readonly NextDue[], own: number, target: number): number =>
  nextDues.reduce((until, { next }, at) => {
    if (next === null || at === own) return until;
    return Math.min(until, at < own ? next - 1 : next);
  }, target);
