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

export type HoldTree = { readonly holds: readonly Hold[] } | { readonly nodes: readonly HoldTree[] };

export const NO_HOLDS: HoldTree = { holds: [] };

const LEAF_MAX = 16;
const BITS = 4;
const FAN = 1 << BITS;
/** With all of the hash used up a leaf grows as it must. */
const DEPTH_MAX = 32 / BITS;

const hashOf = (id: string): number => hash32('hold', id);
const place = (hash: number, depth: number): number => (hash >>> (depth * BITS)) & (FAN - 1);

export const findHold = (tree: HoldTree, id: string): Hold | null => {
  const hash = hashOf(id);
  let node = tree;
  for (let depth = 0; 'nodes' in node; depth++) node = node.nodes[place(hash, depth)]!;
  return node.holds.find(([other]) => other === id) ?? null;
};

/** The tree with this hold in it, in the place of the one with the same id. */
export const putHold = (tree: HoldTree, hold: Hold): HoldTree => put(tree, hold, hashOf(hold[0]), 0);

const put = (tree: HoldTree, hold: Hold, hash: number, depth: number): HoldTree => {
  if ('nodes' in tree) {
    const at = place(hash, depth);
    return { nodes: tree.nodes.with(at, put(tree.nodes[at]!, hold, hash, depth + 1)) };
  }
  const at = tree.holds.findIndex(([id]) => id === hold[0]);
  if (at >= 0) return { holds: tree.holds.with(at, hold) };
  const holds = [...tree.holds, hold];
  return holds.length > LEAF_MAX && depth < DEPTH_MAX ? split(holds, depth) : { holds };
};

const split = (holds: readonly Hold[], depth: number): HoldTree => {
  const leaves = Array.from({ length: FAN }, (): Hold[] => []);
  for (const hold of holds) leaves[place(hashOf(hold[0]), depth)]!.push(hold);
  return {
    nodes: leaves.map((leaf) =>
      leaf.length > LEAF_MAX && depth + 1 < DEPTH_MAX ? split(leaf, depth + 1) : { holds: leaf },
    ),
  };
};

/** Every hold, in no order. */
export function* holdsIn(tree: HoldTree): Generator<Hold> {
  if ('holds' in tree) yield* tree.holds;
  else for (const node of tree.nodes) yield* holdsIn(node);
}

const texts = new WeakMap<HoldTree, string>();

/** The tree as JSON. What was written before is not written again: of a large one most is as it was. */
export const writeHolds = (tree: HoldTree): string => {
  const known = texts.get(tree);
  if (known !== undefined) return known;
  const text = 'holds' in tree ? JSON.stringify(tree) : `{"nodes":[${tree.nodes.map(writeHolds).join(',')}]}`;
  texts.set(tree, text);
  return text;
};

/** The tree of what becomes of each hold; null: it is left out. */
export const mapHolds = (tree: HoldTree, become: (hold: Hold) => Hold | null): HoldTree => {
  const holds: Hold[] = [];
  for (const hold of holdsIn(tree)) {
    const next = become(hold);
    if (next) holds.push(next);
  }
  return holds.length > LEAF_MAX ? split(holds, 0) : { holds };
};
