// Fragments of answers that an edge holds: one is named instead of sent again, so that a page of a list crosses the link as its
// products' names. The host alone decides what its edge holds; the edge obeys.

/** What one edge may hold for one host. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;
/** Beside its bytes, what holding a fragment costs. */
const PIECE_OVERHEAD_BYTES = 100;

interface Slot {
  readonly slot: number;
  readonly bytes: number;
  /** Since it was last looked at to be dropped. */
  used: boolean;
}

/**
 * The host's view of what its edge holds: which fragment lies in which slot. Dropped is the oldest that was not used since
 * it was last the oldest: to use a fragment, which answers do by the dozen, costs no more than to find it.
 */
export class SentFragments {
  readonly #bytesMax: number;
  readonly #slots = new Map<number, Slot>();
  readonly #free: number[] = [];
  #slotsEver = 0;
  #bytes = 0;

  constructor(bytesMax = HELD_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  /** Where the edge holds this fragment; undefined where it does not. */
  slotOf(name: number): number | undefined {
    const held = this.#slots.get(name);
    if (!held) return undefined;
    held.used = true;
    return held.slot;
  }

  /** A slot for a fragment that goes to the edge now. */
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
export class HeldFragments {
  readonly #slots: (Uint8Array | undefined)[] = [];

  put(slot: number, bytes: Uint8Array): void {
    this.#slots[slot] = bytes;
  }

  get(slot: number): Uint8Array {
    const bytes = this.#slots[slot];
    if (!bytes) throw new RangeError('Broken frame: a fragment that was never sent.');
    return bytes;
  }

  drop(slot: number): void {
    this.#slots[slot] = undefined;
  }
}
