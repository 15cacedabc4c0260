// Pieces of which many answers are put together. One that an edge holds is named instead of sent again: a page of a
// list crosses the link as its products' names. The host alone decides what its edge holds; the edge obeys.
import { Buffer } from 'node:buffer';

/** What follows a piece in one list is no longer than this. */
export const ENDING_BYTES_MAX = 127;

/** A body that is a list: `head`, its pieces with commas between them, `tail`. */
export interface PieceList {
  readonly head: Uint8Array;
  /** Each names its bytes for as long as this process lives: other bytes have another name. */
  readonly names: readonly number[];
  /** The bytes of the piece at this place of `names`, made when they are needed. */
  readonly piece: (at: number) => Uint8Array;
  /** Writes what follows the piece at this place in this list alone; returns where that ends. */
  readonly ending?: (into: Buffer, start: number, at: number) => number;
  readonly tail: Uint8Array;
  /** All of it at once, from this head to this tail, where that is less work than piece by piece. */
  readonly whole?: (head: Uint8Array, tail: Uint8Array) => Buffer;
}

let last = 0;

/** A name that no piece of this process has had. */
export const namePiece = (): number => ++last;

/** The newest name there is. */
export const newestPiece = (): number => last;

const COMMA = 0x2c;

/** The body as one: `head`, the parts, each with its ending and with commas between them, `tail`. */
export function joined(
  head: Uint8Array,
  parts: readonly Uint8Array[],
  tail: Uint8Array,
  endings: readonly Uint8Array[] = [],
): Buffer {
  let bytes = head.length + tail.length + Math.max(0, parts.length - 1);
  for (const part of parts) bytes += part.length;
  for (const ending of endings) bytes += ending.length;
  const body = Buffer.allocUnsafeSlow(bytes);
  body.set(head, 0);
  let at = head.length;
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) body[at++] = COMMA;
    const part = parts[i] as Uint8Array;
    body.set(part, at);
    at += part.length;
    const ending = endings[i];
    if (ending === undefined) continue;
    // So few bytes are copied before a call of `set` has begun.
    for (let each = 0; each < ending.length; each++) body[at++] = ending[each]!;
  }
  body.set(tail, at);
  return body;
}

/** What a list says where there is no link to spare. */
export const wholeList = ({ head, names, piece, ending, tail, whole }: PieceList): Buffer => {
  if (whole) return whole(head, tail);
  const parts = names.map((_, at) => piece(at));
  return joined(head, parts, tail, ending && parts.map((_, at) => endingOf(ending, at)));
};

const endingOf = (ending: NonNullable<PieceList['ending']>, at: number): Buffer => {
  const room = Buffer.allocUnsafe(ENDING_BYTES_MAX);
  return room.subarray(0, ending(room, 0, at));
};

/** What one edge may hold for one host. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;
/** Beside its bytes, what holding a piece costs. */
const PIECE_OVERHEAD_BYTES = 100;

interface Slot {
  readonly slot: number;
  readonly bytes: number;
  /** Since it was last looked at to be dropped. */
  used: boolean;
}

/**
 * The host's view of what its edge holds: which piece lies in which slot. Dropped is the oldest that was not used since
 * it was last the oldest: to use a piece, which answers do by the dozen, costs no more than to find it.
 */
export class SentPieces {
  readonly #bytesMax: number;
  readonly #slots = new Map<number, Slot>();
  readonly #free: number[] = [];
  #slotsEver = 0;
  #bytes = 0;

  constructor(bytesMax = HELD_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Where the edge holds this piece; undefined where it does not. */
  slotOf(name: number): number | undefined {
    const held = this.#slots.get(name);
    if (!held) return undefined;
    held.used = true;
    return held.slot;
  }

  /** A slot for a piece that goes to the edge now. */
  put(name: number, length: number): number {
    const slot = this.#free.pop() ?? this.#slotsEver++;
    const bytes = length + PIECE_OVERHEAD_BYTES;
    this.#slots.set(name, { slot, bytes, used: false });
    this.#bytes += bytes;
    return slot;
  }

  /** Slots that the edge is to empty once it has read the list at hand. */
  drop(): number[] {
    const dropped: number[] = [];
    if (this.#bytes <= this.#bytesMax) return dropped;
    for (const [name, held] of this.#slots) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#slots.delete(name);
      if (held.used) {
        held.used = false;
        this.#slots.set(name, held);
        continue;
      }
      this.#bytes -= held.bytes;
      dropped.push(held.slot);
    }
    this.#free.push(...dropped);
    return dropped;
  }
}

/** The edge's slots. */
export class HeldPieces {
  readonly #slots: (Uint8Array | undefined)[] = [];

  put(slot: number, bytes: Uint8Array): void {
    this.#slots[slot] = bytes;
  }

  get(slot: number): Uint8Array {
    const bytes = this.#slots[slot];
    if (!bytes) throw new RangeError('Broken frame: a piece that was never sent.');
    return bytes;
  }

  drop(slot: number): void {
    this.#slots[slot] = undefined;
  }
}
