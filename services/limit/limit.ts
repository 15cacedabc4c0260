// A limit: how much of one window is taken, and by which edges. Tokens are debited when they are granted, so that an
// edge that ends without a word takes its tokens with it and no request is ever admitted twice for one.
import type { Context, Decision } from '#runtime/actor/kind.ts';
import { type Scope, type Window, windowAt } from '#values/window.ts';

/** What one edge has of the window. */
export interface HeldLease {
  /** The last question that changed it: what was asked before is not listened to any more. */
  readonly turn: number;
  /** Tokens ever granted to it, less those that it gave back. */
  readonly taken: number;
  /** Requests that it has admitted, as of its last word; more than it took where it could not ask. */
  readonly spent: number;
}

export interface LimitState extends Window {
  /** The least lately heard of first. */
  readonly edges: Readonly<Record<string, HeldLease>>;
  /** Of edges that are no longer told apart. */
  readonly evicted: { readonly taken: number; readonly spent: number };
}

export interface TakenLease extends Window, HeldLease {
  readonly edge: string;
}

/**
 * An edge's whole account of the window that begins at `start`, and what it would like. What it says of itself is
 * absolute: a question whose answer got lost is put right by the next one.
 */
export interface Take {
  readonly type: 'Take';
  readonly scope: Scope;
  readonly edge: string;
  readonly turn: number;
  /** Requests a window; 0: counted, not limited. */
  readonly limit: number;
  /** Tokens for requests that wait. */
  readonly need: number;
  /** Tokens for requests that may come. */
  readonly want: number;
  readonly start: number;
  readonly spent: number;
  /** Tokens in its hands. */
  readonly held: number;
  /** What time it is there, in ms. */
  readonly now: number;
}

export type LimitCommand = Take | { readonly type: 'Read'; readonly scope: Scope };

export interface LimitAnswer extends Window {
  readonly granted: number;
  /** What is not taken yet; 0 where nothing is limited. */
  readonly left: number;
  /** Tokens in other edges' hands, as far as is known. */
  readonly outstanding: number;
  /** Requests admitted, as far as is known. */
  readonly spent: number;
}

/** A grant that no request waits for is at most this part of what is left: near the limit it is nothing. */
const SHARE = 8;
/**
 * Clocks differ; an edge that is far ahead does not begin everybody's next window. Where it is the owner who is behind,
 * by more than this, no request passes a limit that fails closed until its window has come here, too.
 */
const AHEAD_MS_MAX = 60_000;
/**
 * Edges told apart. One that was forgotten and speaks again is counted twice for what it had: fewer are admitted then,
 * never more.
 */
const EDGES_MAX = 256;

const NOTHING = { taken: 0, spent: 0 };
export const NO_LIMIT: LimitState = { start: 0, end: 0, edges: {}, evicted: NOTHING };

/** The window open now; one that was begun is not gone back on. */
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

  const { edge, turn, limit, need, want } = command;
  const window = openWindow(state, scope, Math.max(now, Math.min(command.now, now + AHEAD_MS_MAX)));
  const present = window.start === state.start ? state : NO_LIMIT;
  // What it says of a window that is over is of no interest any more.
  const { spent, held } = command.start === window.start ? command : { spent: 0, held: 0 };
  const others = sumOf(present, edge);
  const mine = present.edges[edge];
  const { outstanding } = others;
  if (mine && turn < mine.turn)
    return { facts: [], answer: { ...window, granted: 0, left: 0, outstanding, spent: others.spent + mine.spent } };

  const free = limit === 0 ? 0 : Math.max(0, limit - others.taken - spent - held);
  const granted = Math.min(free, Math.max(need, Math.min(want, Math.floor(free / SHARE))));
  const taken = spent + held + granted;
  const answer: LimitAnswer = { ...window, granted, left: free - granted, outstanding, spent: others.spent + spent };
  const changed = mine ? mine.taken !== taken || mine.spent !== spent : taken > 0;
  return { facts: changed ? [{ ...window, edge, turn, taken, spent }] : [], answer };
};

export const evolveLimit = (state: LimitState, { start, end, edge, turn, taken, spent }: TakenLease): LimitState => {
  const present = start === state.start ? state : NO_LIMIT;
  const { [edge]: _, ...others } = present.edges;
  const edges: Record<string, HeldLease> = { ...others, [edge]: { turn, taken, spent } };
  let { evicted } = present;
  const [oldest, ...rest] = Object.entries(edges);
  if (oldest && rest.length >= EDGES_MAX) {
    const [name, holding] = oldest;
    delete edges[name];
    evicted = { taken: evicted.taken + Math.max(holding.taken, holding.spent), spent: evicted.spent + holding.spent };
  }
  return { start, end, edges, evicted };
};
