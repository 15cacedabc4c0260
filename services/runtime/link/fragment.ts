// Tracks which fragments of answers an edge holds, so that the link sends a slot number in place of the bytes. The host
// decides which fragments its edge holds.

const HELD_BYTES_MAX = 32 * 1024 * 1024;
const PIECE_OVERHEAD_BYTES = 100;

interface Slot {
  readonly slot: number;
  readonly bytes: number;
  used: boolean;
}

/**
 * A host's record of the fragments that its edge holds. Evicts by second chance: the oldest fragment that was not used
 * since its last check. A use then costs only a look-up.
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

  slotOf(name: number): number | undefined {
    const held = this.#slots.get(name);
    if (!held) return undefined;
    held.used = true;
    return held.slot;
  }

  put(name: number, length: number): number {
    const slot = this.#free.pop() ?? this.#slotsEver++;
    const bytes = length + PIECE_OVERHEAD_BYTES;
    this.#slots.set(name, { slot, bytes, used: false });
    this.#bytes += bytes;
    return slot;
  }

  /** Evicts fragments over the limit. Returns their slots, which the edge empties after reading the current list. */
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
