// Suggests the existing path that is most similar to an unknown one.

/** Longest path, in characters, that gets a suggestion; a longer one is no typing error. */
const PATH_MAX = 200;
const PARTS_MAX = 12;

const MISSING = 1;
const VERSION = 0.5;
const SLASH = 0.25;
const ANOTHER = 1.2;
const UNLIKE = 0.6;
const ANYTHING = 0.4;
const ANY_ID = 0;
const API = 'v1';
const ID = /\d|^[0-9a-f-]{16,}$/i;

/**
 * Returns the edit distance divided by the length of the longer word: 0 for equal words, 1 for words with nothing in
 * common.
 */
function distance(a: string, b: string): number {
  if (a === b) return 0;
  const longer = Math.max(a.length, b.length);
  if (longer > 40) return 1;
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  let beforeThat: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      // Counts two swapped letters as one edit.
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeThat[j - 2]! + 1);
      row.push(cost);
    }
    beforeThat = above;
    above = row;
  }
  return above[b.length]! / longer;
}

const partsOf = (path: string): string[] => path.split('/').slice(1);

export class NearestPath {
  /** Known paths as the documentation writes them: `/v1/products/{id}`. */
  readonly #known: readonly { readonly path: string; readonly parts: readonly string[] }[];

  /** `paths` are written as in the route table: `/v1/products/:id`. */
  constructor(paths: readonly string[]) {
    this.#known = [...new Set(paths)].map((path) => ({
      path: path.replace(/:(\w+)/g, '{$1}'),
      parts: partsOf(path),
    }));
  }

  find(path: string): string | null {
    const requested = partsOf(path.toLowerCase());
    if (path.length > PATH_MAX || requested.length > PARTS_MAX) return null;
    const known = new Map<string, number>();
    const between = (part: string, own: string): number => {
      if (own.startsWith(':')) return part === '' ? MISSING : ID.test(part) ? ANY_ID : ANYTHING;
      const pair = `${part}/${own}`;
      let found = known.get(pair);
      if (found === undefined) {
        found = distance(part, own);
        if (found > UNLIKE) found = ANOTHER;
        known.set(pair, found);
      }
      return found;
    };
    let best: string | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const { path: name, parts } of this.#known) {
      if (Math.abs(parts.length - requested.length) * SLASH > least) continue;
      const cost = alignment(requested, parts, between);
      if (cost >= least) continue;
      best = name;
      least = cost;
    }
    // A path outside `/v1` that differs by half was probably meant for another server.
    const near = requested[0] === API || least < Math.max(1, requested.length / 2);
    return near ? best : null;
  }
}

function alignment(
  requested: readonly string[],
  own: readonly string[],
  between: (part: string, own: string) => number,
): number {
  const lacking = (name: string): number => (name === API ? VERSION : MISSING);
  let above = [0];
  for (const name of own) above.push(above.at(-1)! + lacking(name));
  for (const part of requested) {
    // An empty segment is a doubled slash, which costs little.
    const extra = part === '' ? SLASH : MISSING;
    const row = [above[0]! + extra];
    for (const [at, name] of own.entries())
      row.push(Math.min(above[at + 1]! + extra, row[at]! + lacking(name), above[at]! + between(part, name)));
    above = row;
  }
  return above[own.length]!;
}
