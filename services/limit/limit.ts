// Grants each edge tokens to admit requests in one time window. Tokens are debited when they are granted, so a crashed
// edge loses its tokens, and no token admits two requests.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { type Scope, type Window, windowAt } from '#values/window.ts';

/**
 * One edge’s account of the window. `sequence`: number of the edge's last command; commands with smaller numbers are
 * ignored. `taken`: tokens granted less tokens returned. `spent`: requests admitted; more than `taken` where the edge
 * admitted some without a grant.
 */
export interface HeldLease {
  readonly sequence: number;
  readonly taken: number;
  readonly spent: number;
}

/**
 * `edges` are ordered by last contact, oldest first; `evicted` sums the accounts of edges that are no longer tracked.
 */
export interface LimitState extends Window {
  readonly edges: Readonly<Record<string, HeldLease>>;
  readonly evicted: { readonly taken: number; readonly spent: number };
}

export interface TakenLease extends Window, HeldLease {
  readonly edge: string;
}

/**
 * An edge's report on the window that begins at `start`, with its request for tokens. `need`: tokens for waiting
 * requests; `want`: for expected ones; `held`: tokens that are unused; `spent`: requests admitted in all, so that the
 * next report makes up for a lost answer. `limit` 0 counts without a limit. `now`: the edge's time in ms.
 */
export interface Take {
  readonly type: 'Take';
  readonly scope: Scope;
  readonly edge: string;
  readonly sequence: number;
  readonly limit: number;
  readonly need: number;
  readonly want: number;
  readonly start: number;
  readonly spent: number;
  readonly held: number;
  readonly now: number;
}

export type LimitCommand = Take | { readonly type: 'Read'; readonly scope: Scope };

/**
 * `left`: tokens not granted; 0 without a limit. `outstanding`: unused tokens of other edges, as those edges last
 * reported.
 */
export interface LimitAnswer extends Window {
  readonly granted: number;
  readonly left: number;
  readonly outstanding: number;
  readonly spent: number;
}

/** A grant for expected requests is at most an eighth of the remaining tokens, so 0 when fewer than 8 remain. */
const SHARE = 8;
/** How far an edge's clock may run ahead of the owner's clock and still open the next window for all edges. */
const AHEAD_MS_MAX = 60_000;
/**
 * Number of tracked edges. An evicted edge that returns is counted twice, so too few requests may be admitted, never
 * too many.
 */
const EDGES_MAX = 256;

const NOTHING = { taken: 0, spent: 0 };
export const NO_LIMIT: LimitState = { start: 0, end: 0, edges: {}, evicted: NOTHING };

/** Returns the window at `now`, or the current window where that is later: windows never go back. */
const openWindow = (state: LimitState, scope: Scope, now: number): Window =>
  [windowAt(scope, now), { start: state.start, end: state.end }].reduce((a, b) => (b.start > a.start ? b : a));

const sumOf = (
  { edges, evicted }: Pick<LimitState, 'edges' | 'evicted'>,
  without = '',
): { taken: number; spent: number; outstanding: number } => {
  const sum = { ...evicted, outstanding: 0 };
  for (const [edge, { taken, spent }] of Object.entries(edges)) {
    if (edge === without) continue;
    sum.taken += Math.max(taken, spent);
    sum.spent += spent;
    sum.outstanding += Math.max(0, taken - spent);
  }
  return sum;
};

export const decideLimit = (
  state: LimitState,
  command: LimitCommand,
  { now }: Pick<Context, 'now'>,
): Decision<TakenLease, LimitAnswer> => {
  const { scope } = command;
  if (command.type === 'Read') {
    const window = openWindow(state, scope, now);
    const { spent, outstanding } = sumOf(window.start === state.start ? state : NO_LIMIT);
    return { facts: [], answer: { ...window, granted: 0, left: 0, outstanding, spent } };
  }

  const { edge, sequence, limit, need, want } = command;
  const window = openWindow(state, scope, Math.max(now, Math.min(command.now, now + AHEAD_MS_MAX)));
  const present = window.start === state.start ? state : NO_LIMIT;
  const { spent, held } = command.start === window.start ? command : { spent: 0, held: 0 };
  const others = sumOf(present, edge);
  const mine = present.edges[edge];
  const { outstanding } = others;
  if (mine && sequence < mine.sequence)
    return { facts: [], answer: { ...window, granted: 0, left: 0, outstanding, spent: others.spent + mine.spent } };

  const free = limit === 0 ? 0 : Math.max(0, limit - others.taken - spent - held);
  const granted = Math.min(free, Math.max(need, Math.min(want, Math.floor(free / SHARE))));
  const taken = spent + held + granted;
  const answer: LimitAnswer = { ...window, granted, left: free - granted, outstanding, spent: others.spent + spent };
  const changed = mine ? mine.taken !== taken || mine.spent !== spent : taken > 0;
  return { facts: changed ? [{ ...window, edge, sequence, taken, spent }] : [], answer };
};

export const evolveLimit = (
  state: LimitState,
  { start, end, edge, sequence, taken, spent }: TakenLease,
): LimitState => {
  const present = start === state.start ? state : NO_LIMIT;
  const { [edge]: _, ...others } = present.edges;
  const edges: Record<string, HeldLease> = { ...others, [edge]: { sequence, taken, spent } };
  let { evicted } = present;
  const [oldest, ...rest] = Object.entries(edges);
  if (oldest && rest.length >= EDGES_MAX) {
    const [name, holding] = oldest;
    delete edges[name];
    evicted = { taken: evicted.taken + Math.max(holding.taken, holding.spent), spent: evicted.spent + holding.spent };
  }
  return { start, end, edges, evicted };
};
