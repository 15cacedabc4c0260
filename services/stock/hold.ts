// The holds of one variant, as a tree that never changes in place: the actor host keeps the state before a fact beside
// the one after it, and of tens of thousands of holds both share nearly all.
import { hash32 } from '#runtime/actor/address.ts';

/** pending → pinned → committed | released; pending → released | expired. The last three are ends. */
export type HoldStatus = 'pending' | 'pinned' | 'committed' | 'released' | 'expired';

/**
 * `until`, in ms by the tenant's clock, is when a pending hold expires, when somebody is asked about a pinned one, and
 * when an ended one is forgotten. A tuple, since a snapshot names every hold of a variant in demand.
 */
export type Hold = readonly [id: string, quantity: number, status: HoldStatus, until: number];

/**
 * Each hold is where the digits of its id's hash lead, as many of them as tell it from all others: whoever looks for one
 * meets at most one other. They are scattered in memory, and each that is looked at costs more than the way to it.
 */
export type HoldTree = readonly (Hold | HoldTree | null)[];

const BITS = 4;
const FAN = 1 << BITS;
const DIGITS = 32 / BITS;

export const NO_HOLDS: HoldTree = new Array<null>(FAN).fill(null);

const isHold = (at: Hold | HoldTree): at is Hold => typeof at[0] === 'string';

/** The digits of an id from a depth on; where those of one hash end, another one begins. */
const digitsOf = (id: string, depth: number): number => {
  const used = depth % DIGITS;
  return hash32(depth < DIGITS ? 'hold' : `hold ${depth - used}`, id) >>> (used * BITS);
};
const below = (id: string, depth: number, digits: number): number =>
  depth % DIGITS === 0 ? digitsOf(id, depth) : digits >>> BITS;

export const findHold = (tree: HoldTree, id: string): Hold | null => {
  let node = tree;
  let digits = digitsOf(id, 0);
  for (let depth = 1; ; depth++) {
    const at = node[digits & (FAN - 1)]!;
    if (at === null) return null;
    if (isHold(at)) return at[0] === id ? at : null;
    node = at;
    digits = below(id, depth, digits);
  }
};

/** The tree with this hold in it, in the place of the one with the same id. */
export const putHold = (tree: HoldTree, hold: Hold): HoldTree => put(tree, hold, 0, digitsOf(hold[0], 0));

const put = (tree: HoldTree, hold: Hold, depth: number, digits: number): HoldTree => {
  const place = digits & (FAN - 1);
  const at = tree[place]!;
  if (at === null || at[0] === hold[0]) return tree.with(place, hold);
  const deeper = depth + 1;
  const node = isHold(at) ? put(NO_HOLDS, at, deeper, digitsOf(at[0], deeper)) : at;
  return tree.with(place, put(node, hold, deeper, below(hold[0], deeper, digits)));
};

/** Every hold, in no order. */
export const holdsIn = (tree: HoldTree): Hold[] => {
  const holds: Hold[] = [];
  const gather = (node: HoldTree): void => {
    for (const at of node)
      if (at === null) continue;
      else if (isHold(at)) holds.push(at);
      else gather(at);
  };
  gather(tree);
  return holds;
};

export const treeOf = (holds: Iterable<Hold>): HoldTree => {
  let tree = NO_HOLDS;
  for (const hold of holds) tree = putHold(tree, hold);
  return tree;
};

/** The tree of what becomes of each hold; null: it is left out. */
export const mapHolds = (tree: HoldTree, become: (hold: Hold) => Hold | null): HoldTree => {
  let changed = false;
  const mapped = tree.map((at) => {
    if (at === null) return null;
    const next = isHold(at) ? become(at) : shrunk(mapHolds(at, become));
    changed ||= next !== at;
    return next;
  });
  return changed ? mapped : tree;
};

/** Whatever stands alone needs no tree of its own. */
const shrunk = (tree: HoldTree): HoldTree | Hold | null => {
  const [first, second] = tree.filter((at) => at !== null);
  if (!first) return null;
  return !second && isHold(first) ? first : tree;
};
