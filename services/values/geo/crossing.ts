// Detects whether a polygon's rings cross. A line sweeps over the vertices from west to east and keeps the edges under
// it ordered from south to north. Exact arithmetic tells touching from crossing. Edges that lie on each other enclose
// nothing and do not cross.
import { orientation } from './orientation.ts';
import type { Polygon } from './zone_map.ts';

const VERTICES_PER_YIELD = 256;
/** Limit of edges examined at vertices, in total; only shapes with thousands of overlapping edges reach it. */
const MEETINGS_MAX = 2_000_000;

export type Crossing = 'none' | 'crosses' | 'too intricate';

/** Vertices of all rings in one array, linked to their neighbours. An edge has the number of its first vertex. */
interface Outline {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly before: Int32Array;
  readonly behind: Int32Array;
}

const outlineOf = (polygon: Polygon): Outline => {
  const count = polygon.reduce((sum, ring) => sum + ring.length / 2, 0);
  const [x, y] = [new Float64Array(count), new Float64Array(count)];
  const [before, behind] = [new Int32Array(count), new Int32Array(count)];
  let start = 0;
  for (const ring of polygon) {
    const length = ring.length / 2;
    for (let at = 0; at < length; at++) {
      x[start + at] = ring[2 * at]!;
      y[start + at] = ring[2 * at + 1]!;
      before[start + at] = start + ((at + length - 1) % length);
      behind[start + at] = start + ((at + 1) % length);
    }
    start += length;
  }
  return { x, y, before, behind };
};

export function* findCrossing(polygon: Polygon): Generator<void, Crossing> {
  const sweep = new Sweep(outlineOf(polygon));
  for (let vertices = 0; ; ) {
    const found = sweep.next();
    if (found === null) return 'none';
    if (typeof found === 'string') return found;
    vertices += found;
    if (vertices < VERTICES_PER_YIELD) continue;
    vertices = 0;
    yield;
  }
}

class Sweep {
  readonly #x: Float64Array;
  readonly #y: Float64Array;
  readonly #before: Int32Array;
  readonly #behind: Int32Array;
  /** Each edge's western end; for a vertical edge, its southern end. */
  readonly #first: Int32Array;
  readonly #second: Int32Array;
  /** Vertices sorted from west to east, then from south to north. */
  readonly #order: Int32Array;
  #at = 0;
  /** Edges under the sweep line, from south to north. */
  readonly #open: Int32Array;
  #count = 0;
  #meetings = 0;

  constructor({ x, y, before, behind }: Outline) {
    this.#x = x;
    this.#y = y;
    this.#before = before;
    this.#behind = behind;
    this.#order = Int32Array.from(x.keys()).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
    this.#open = new Int32Array(x.length);
    this.#first = Int32Array.from(x.keys(), (edge) => (this.#isBefore(edge, behind[edge]!) ? edge : behind[edge]!));
    this.#second = Int32Array.from(x.keys(), (edge) => (this.#isBefore(edge, behind[edge]!) ? behind[edge]! : edge));
  }

  /**
   * Processes the next point. Returns the number of vertices at the point, or the problem found; null after the last
   * point.
   */
  next(): number | Exclude<Crossing, 'none'> | null {
    if (this.#at === this.#order.length) return null;
    const vertices = this.#verticesHere();
    const point = vertices[0]!;
    const south = this.#southOf(point);
    let north = south;
    while (north < this.#count && this.#side(this.#open[north]!, point) === 0) north++;
    this.#meetings += north - south;
    if (this.#meetings > MEETINGS_MAX) return 'too intricate';

    const through: number[] = [];
    for (let at = south; at < north; at++) {
      const edge = this.#open[at]!;
      if (!this.#isAt(this.#second[edge]!, point)) through.push(edge);
    }
    const beginning = this.#beginningAt(vertices);
    const ending = 2 * vertices.length - beginning.length;
    // The order under the sweep line can break only where edges cross.
    if (ending !== north - south - through.length) return 'crosses';
    if (!this.#liesOnOne(through)) return 'crosses';
    if (vertices.length + Math.min(through.length, 1) > 1 && this.#passes(point, vertices, through[0]))
      return 'crosses';
    this.#replace(south, north, this.#inOrder(point, beginning, through));
    const end = south + beginning.length + through.length;
    if (this.#crosses(south - 1, south) || (end > south && this.#crosses(end - 1, end))) return 'crosses';
    return vertices.length;
  }

  #isBefore(a: number, b: number): boolean {
    return this.#x[a]! < this.#x[b]! || (this.#x[a]! === this.#x[b]! && this.#y[a]! < this.#y[b]!);
  }

  #isAt(a: number, b: number): boolean {
    return this.#x[a]! === this.#x[b]! && this.#y[a]! === this.#y[b]!;
  }

  #turn(a: number, b: number, c: number): number {
    const [x, y] = [this.#x, this.#y];
    return orientation(x[a]!, y[a]!, x[b]!, y[b]!, x[c]!, y[c]!);
  }

  /** Returns a value above 0 where the vertex is north of the edge, 0 on it, below 0 south of it. */
  #side(edge: number, vertex: number): number {
    return this.#turn(this.#first[edge]!, this.#second[edge]!, vertex);
  }

  #verticesHere(): number[] {
    const here = [this.#order[this.#at++]!];
    while (this.#at < this.#order.length && this.#isAt(here[0]!, this.#order[this.#at]!))
      here.push(this.#order[this.#at++]!);
    return here;
  }

  #southOf(point: number): number {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#side(this.#open[middle]!, point) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #beginningAt(vertices: readonly number[]): number[] {
    const point = vertices[0]!;
    return vertices
      .flatMap((vertex) => [this.#before[vertex]!, vertex])
      .filter((edge) => this.#isAt(this.#first[edge]!, point));
  }

  #liesOnOne([first, ...others]: readonly number[]): boolean {
    return others.every(
      (other) => this.#side(first!, this.#first[other]!) === 0 && this.#side(first!, this.#second[other]!) === 0,
    );
  }

  #inOrder(point: number, beginning: readonly number[], through: readonly number[]): number[] {
    const sorted = beginning.toSorted((a, b) => -this.#turn(point, this.#second[a]!, this.#second[b]!));
    const [line] = through;
    if (line === undefined) return sorted;
    const above = sorted.findIndex((edge) => this.#side(line, this.#second[edge]!) > 0);
    const place = above < 0 ? sorted.length : above;
    return [...sorted.slice(0, place), ...through, ...sorted.slice(place)];
  }

  #replace(south: number, north: number, edges: readonly number[]): void {
    const end = south + edges.length;
    this.#open.copyWithin(end, north, this.#count);
    this.#open.set(edges, south);
    this.#count += end - north;
  }

  #crosses(south: number, north: number): boolean {
    if (south < 0 || north >= this.#count) return false;
    const [e, f] = [this.#open[south]!, this.#open[north]!];
    const [a, b] = [this.#side(e, this.#first[f]!), this.#side(e, this.#second[f]!)];
    if (!((a > 0 && b < 0) || (a < 0 && b > 0))) return false;
    const [c, d] = [this.#side(f, this.#first[e]!), this.#side(f, this.#second[e]!)];
    return (c > 0 && d < 0) || (c < 0 && d > 0);
  }

  /**
   * Tells whether one path through a point passes from one side of another path to the other. Sorts the ends of all
   * paths by direction: two paths cross where their pairs of ends overlap without one enclosing the other.
   */
  #passes(point: number, vertices: readonly number[], through: number | undefined): boolean {
    const ways = vertices.map((vertex): readonly [number, number] => [this.#before[vertex]!, this.#behind[vertex]!]);
    if (through !== undefined) ways.push([this.#first[through]!, this.#second[through]!]);
    const around = ways.flat().sort((a, b) => this.#byDirection(point, a, b));
    const places = new Map<number, number>();
    let place = 0;
    for (const [at, end] of around.entries()) {
      if (at > 0 && this.#byDirection(point, around[at - 1]!, end) !== 0) place++;
      places.set(end, place);
    }
    const chords = ways
      .map(([from, to]) => [places.get(from)!, places.get(to)!].sort((a, b) => a - b) as [number, number])
      .filter(([from, to]) => from !== to)
      // The longest of the pairs that start at the same end encloses the others and comes first.
      .sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    const within: number[] = [];
    for (const [from, to] of chords) {
      while (within.length > 0 && within.at(-1)! <= from) within.pop();
      if (within.length > 0 && within.at(-1)! < to) return true;
      within.push(to);
    }
    return false;
  }

  #byDirection(point: number, a: number, b: number): number {
    const [lowA, lowB] = [this.#isLow(point, a), this.#isLow(point, b)];
    if (lowA !== lowB) return lowA ? 1 : -1;
    return -this.#turn(point, a, b);
  }

  #isLow(point: number, to: number): boolean {
    const [dy, dx] = [this.#y[to]! - this.#y[point]!, this.#x[to]! - this.#x[point]!];
    return dy < 0 || (dy === 0 && dx < 0);
  }
}
