// Grants tokens of one window to edges. Tokens are debited when they are granted, so a crashed edge loses its tokens
// and no request is admitted twice for one.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { type Scope, type Window, windowAt } from '#values/window.ts';

/** One edge's account of the window. */
export interface HeldLease {
  /** The last command that changed it; older ones are ignored. */
  readonly sequence: number;
  /** Tokens granted to it, less those returned. */
  readonly taken: number;
  /** Requests that it reported as admitted; above `taken` where it could not ask. */
  readonly spent: number;
}

export interface LimitState extends Window {
  /** Ordered by last contact, oldest first. */
  readonly edges: Readonly<Record<string, HeldLease>>;
  /** Totals of evicted edges. */
  readonly evicted: { readonly taken: number; readonly spent: number };
}

export interface TakenLease extends Window, HeldLease {
  readonly edge: string;
}

/**
 * An edge's account of the window that starts at `start`, and the tokens it wants. Totals are absolute, so a lost
 * answer is corrected by the next command.
 */
export interface Take {
  readonly type: 'Take';
  readonly scope: Scope;
  readonly edge: string;
  readonly sequence: number;
  /** Requests a window; 0: counted without a limit. */
  readonly limit: number;
  /** Tokens for waiting requests. */
  readonly need: number;
  /** Tokens for expected requests. */
  readonly want: number;
  readonly start: number;
  readonly spent: number;
  /** Unused tokens. */
  readonly held: number;
  /** The edge's time, in ms. */
  readonly now: number;
}

export type LimitCommand = Take | { readonly type: 'Read'; readonly scope: Scope };

export interface LimitAnswer extends Window {
  readonly granted: number;
  /** Tokens that are not granted; 0 without a limit. */
  readonly left: number;
  /** Unused tokens of other edges, as last reported. */
  readonly outstanding: number;
  /** Admitted requests, as last reported. */
  readonly spent: number;
}

/** A grant without waiting requests is at most this fraction of the remaining tokens, so near the limit it is 0. */
const SHARE = 8;
/**
 * An edge whose clock is further ahead does not start the next window for all. If the owner's clock is behind by more,
 * requests that fail closed wait until its window starts.
 */
const AHEAD_MS_MAX = 60_000;
/** Tracked edges. An evicted edge that returns is counted twice, so fewer requests are admitted, never more. */
const EDGES_MAX = 256;

const NOTHING = { taken: 0, spent: 0 };
export const NO_LIMIT: LimitState = { start: 0, end: 0, edges: {}, evicted: NOTHING };

/** A window that has started is never reopened earlier. */
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
  // Totals of an earlier window do not count.
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
