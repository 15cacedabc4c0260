// Splits rings into nested grids, for the zone map of zone_map.ts.
import { isLeft } from './orientation.ts';

export interface ZoneFragment {
  readonly ring: number;
  /** Whether the cell's lower left corner is inside the ring. */
  inside: boolean;
  readonly edges: number[];
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pieces: readonly ZoneFragment[];
  readonly depth: number;
}

const CELLS_PER_YIELD = 200;
const LEAF_EDGES = 16;
const DEPTH_MAX = 8;
const SIDE_MAX = 512;
/** Cells along one side of an inner grid; a power of two, so that division does not round. */
export const INNER_SIDE = 8;
/** Number of edges that take as much memory as an inner grid. */
const GRID_COPIES = (INNER_SIDE * INNER_SIDE) / 8;
const CELL_VISITS_MAX = 1 << 28;
const COPIES_PER_EDGE_MAX = 16;
/** Kinds of cells, in a cell's last two bits. The bits above hold a zone's number plus 1, a leaf or a grid. */
export const WHOLE = 0;
export const LEAF = 1;
export const GRID = 2;

export interface BoundingBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly side: number;
}

export interface ZoneParts {
  readonly edges: Float64Array;
  readonly ringZone: number[];
  readonly ringPolygon: number[];
  side: number;
  /** Cells of all grids, row by row, the outermost grid first. */
  readonly cells: number[];
  readonly leaves: number[];
}

export class Builder {
  readonly #parts: ZoneParts;
  #copiesLeft: number;
  readonly #pieceIn: (ZoneFragment | undefined)[] = [];
  #reached: number[] = [];

  constructor(parts: ZoneParts) {
    this.#parts = parts;
    this.#copiesLeft = COPIES_PER_EDGE_MAX * (parts.edges.length / 4);
  }

  *build(pieces: readonly ZoneFragment[]): Generator<void, BoundingBox> {
    const { edges } = this.#parts;
    let [west, south, east, north] = [180, 90, -180, -90];
    for (let at = 0; at < edges.length; at += 2) {
      west = Math.min(west, edges[at]!);
      east = Math.max(east, edges[at]!);
      south = Math.min(south, edges[at + 1]!);
      north = Math.max(north, edges[at + 1]!);
    }
    // Widens the grid slightly, so that its first corner is outside of every ring.
    const margin = 1e-6;
    const [x, y] = [Math.max(west, -180) - margin, south - margin];
    const [width, height] = [Math.min(east, 180) + margin - x, north + margin - y];
    const roots = [edges.length / 8, CELL_VISITS_MAX / pieces.length].map(Math.sqrt);
    const side = Math.max(2, Math.ceil(Math.min(SIDE_MAX, ...roots)));
    this.#parts.side = side;
    yield* this.#split({ x, y, width, height, pieces, depth: 0 }, side);
    return { x, y, width: width / side, height: height / side, side };
  }

  *#split(cell: Cell, side: number): Generator<void, number> {
    const { cells } = this.#parts;
    const [width, height] = [cell.width / side, cell.height / side];
    const first = cells.length;
    for (let at = 0; at < side * side; at++) cells.push(0);
    const inner = yield* this.#spread(cell, side, width, height);
    let worked = 0;
    for (const [at, pieces] of inner.entries()) {
      if (!pieces) continue;
      if (++worked % CELLS_PER_YIELD === 0) yield;
      const [column, row] = [at % side, Math.floor(at / side)];
      const [x, y] = [cell.x + column * width, cell.y + row * height];
      cells[first + at] = yield* this.#cell({ x, y, width, height, pieces, depth: cell.depth + 1 });
    }
    return first;
  }

  *#cell(cell: Cell): Generator<void, number> {
    const { ringZone, leaves } = this.#parts;
    const pieces = this.#visible(cell.pieces);
    const [top] = pieces;
    if (!top) return 0;
    const edges = pieces.reduce((sum, piece) => sum + piece.edges.length, 0);
    if (edges === 0 && pieces.length === 1) return ((ringZone[top.ring]! + 1) << 2) | WHOLE;
    const fine = edges <= LEAF_EDGES || cell.depth >= DEPTH_MAX || this.#copiesLeft < 4 * edges + GRID_COPIES;
    if (!fine) {
      this.#copiesLeft -= GRID_COPIES;
      return ((yield* this.#split({ ...cell, pieces }, INNER_SIDE)) << 2) | GRID;
    }
    const leaf = leaves.push(pieces.length) - 1;
    for (const piece of pieces) {
      leaves.push((piece.ring << 1) | (piece.inside ? 1 : 0), piece.edges.length);
      for (const edge of piece.edges) leaves.push(edge);
    }
    return (leaf << 2) | LEAF;
  }

  #visible(pieces: readonly ZoneFragment[]): ZoneFragment[] {
    const { ringPolygon } = this.#parts;
    const seen: ZoneFragment[] = [];
    let start = 0;
    let polygon = -1;
    const fills = (): boolean => seen.length === start + 1 && seen[start]!.edges.length === 0;
    for (const piece of pieces) {
      const owner = ringPolygon[piece.ring]!;
      if (owner >= 0) {
        if (polygon >= 0 && fills()) break;
        polygon = owner;
        start = seen.push(piece) - 1;
      } else if (~owner === polygon) {
        if (piece.edges.length > 0) seen.push(piece);
        else {
          // A hole that fills the cell removes its polygon from the cell.
          seen.length = start;
          polygon = -1;
        }
      }
    }
    return seen;
  }

  *#spread(cell: Cell, count: number, width: number, height: number): Generator<void, (ZoneFragment[] | undefined)[]> {
    const inner: (ZoneFragment[] | undefined)[] = new Array(count * count).fill(undefined);
    const filled = new Uint8Array(count * count);
    const { ringPolygon } = this.#parts;
    let worked = 0;
    for (const [index, piece] of cell.pieces.entries()) {
      this.#reach(cell, piece, count, width, height);
      // An outer ring without holes that fills a cell hides all later polygons there.
      const next = cell.pieces[index + 1];
      const plain = ringPolygon[piece.ring]! >= 0 && !(next && ringPolygon[next.ring]! < 0);
      for (const at of this.#reached) {
        const part = this.#pieceIn[at]!;
        this.#pieceIn[at] = undefined;
        if (filled[at] === 1) continue;
        const list = inner[at];
        if (list) list.push(part);
        else inner[at] = [part];
        this.#copiesLeft -= part.edges.length;
        if (plain && part.edges.length === 0) filled[at] = 1;
      }
      worked += piece.edges.length + this.#reached.length;
      this.#reached = [];
      if (worked > 2_000) {
        worked = 0;
        yield;
      }
    }
    return inner;
  }

  #partIn(at: number, ring: number): ZoneFragment {
    let part = this.#pieceIn[at];
    if (!part) {
      part = { ring, inside: false, edges: [] };
      this.#pieceIn[at] = part;
      this.#reached.push(at);
    }
    return part;
  }

  #reach(cell: Cell, piece: ZoneFragment, count: number, width: number, height: number): void {
    const { edges } = this.#parts;
    const column = (x: number): number => Math.min(count - 1, Math.max(0, Math.floor((x - cell.x) / width)));
    const row = (y: number): number => Math.min(count - 1, Math.max(0, Math.floor((y - cell.y) / height)));
    // Tolerance wider than any rounding error: a superfluous edge in a cell does no harm.
    const [slackX, slackY] = [width * 1e-6 + 1e-12, height * 1e-6 + 1e-12];
    let [west, east, south, north] = [count, -1, count, -1];
    let contained = !piece.inside;
    for (const edge of piece.edges) {
      const ax = edges[4 * edge]!;
      const ay = edges[4 * edge + 1]!;
      const bx = edges[4 * edge + 2]!;
      const by = edges[4 * edge + 3]!;
      const [fromRow, toRow] = [row(ay - slackY), row(by + slackY)];
      contained &&= Math.min(ax, bx) > cell.x && Math.max(ax, bx) < cell.x + cell.width;
      contained &&= ay > cell.y && by < cell.y + cell.height;
      const slope = by > ay ? (bx - ax) / (by - ay) : 0;
      for (let r = fromRow; r <= toRow; r++) {
        const low = Math.max(ay, cell.y + r * height - slackY);
        const high = Math.min(by, cell.y + (r + 1) * height + slackY);
        const ends = by > ay ? [ax + slope * (low - ay), ax + slope * (high - ay)] : [ax, bx];
        const from = Math.max(Math.min(ends[0]!, ends[1]!), Math.min(ax, bx)) - slackX;
        const to = Math.min(Math.max(ends[0]!, ends[1]!), Math.max(ax, bx)) + slackX;
        if (to < cell.x || from > cell.x + cell.width) continue;
        const [fromColumn, toColumn] = [column(from), column(to)];
        west = Math.min(west, fromColumn);
        east = Math.max(east, toColumn);
        for (let c = fromColumn; c <= toColumn; c++) this.#partIn(r * count + c, piece.ring).edges.push(edge);
      }
      south = Math.min(south, fromRow);
      north = Math.max(north, toRow);
    }
    // A ring whose edges all stay within the rectangle lies inside it; any other ring may fill cells that hold none of
    // its edges.
    if (!contained) [west, east, south, north] = [0, count - 1, 0, count - 1];
    this.#corners(cell, piece, count, width, height, { west, east, south, north });
  }

  #corners(
    cell: Cell,
    piece: ZoneFragment,
    count: number,
    width: number,
    height: number,
    range: { west: number; east: number; south: number; north: number },
  ): void {
    const { edges } = this.#parts;
    const toggles = new Uint8Array(count + 1);
    const byRow: number[][] = Array.from({ length: count }, () => []);
    for (const edge of piece.edges) {
      const [low, high] = [edges[4 * edge + 1]!, edges[4 * edge + 3]!];
      const from = Math.max(range.south, Math.floor((low - cell.y) / height));
      const to = Math.min(range.north, Math.floor((high - cell.y) / height) + 1);
      for (let r = from; r <= to; r++) byRow[r]!.push(edge);
    }
    const across = piece.edges.filter((edge) => edges[4 * edge]! > cell.x !== edges[4 * edge + 2]! > cell.x);
    for (let r = range.south; r <= range.north; r++) {
      const y = cell.y + r * height;
      let inside = piece.inside;
      for (const edge of across) if (this.#left(edge, cell.x, cell.y) !== this.#left(edge, cell.x, y)) inside = !inside;
      toggles.fill(0);
      for (const edge of byRow[r]!) {
        if (edges[4 * edge + 1]! > y === edges[4 * edge + 3]! > y) continue;
        const start = this.#left(edge, cell.x, y);
        const passed = this.#firstBeyond(edge, cell, count, width, y, start);
        if (passed < count) toggles[passed]! ^= 1;
      }
      for (let c = 0; c <= range.east; c++) {
        if (toggles[c] === 1) inside = !inside;
        if (!inside || c < range.west) continue;
        this.#partIn(r * count + c, piece.ring).inside = true;
      }
    }
  }

  #firstBeyond(edge: number, cell: Cell, count: number, width: number, y: number, start: boolean): number {
    if (!start) return count;
    let [low, high] = [1, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#left(edge, cell.x + middle * width, y) === start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #left(edge: number, x: number, y: number): boolean {
    const { edges } = this.#parts;
    return isLeft(edges[4 * edge]!, edges[4 * edge + 1]!, edges[4 * edge + 2]!, edges[4 * edge + 3]!, x, y);
  }
}
