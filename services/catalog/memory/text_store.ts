// Where a catalogue's texts stand as bytes: in few large chunks instead of one small object a text, tidied up when half
// of it is waste.

const SLAB_BYTES_MAX = 1 << 20;
const WASTE_BYTES_MIN = 1 << 18;

/** Where a text stands. */
export interface SlabRange {
  slab: Buffer;
  start: number;
  bytes: number;
}

export class TextStore {
  /** Each chunk with how many of its bytes are still in use. */
  readonly #slabs = new Map<Buffer, number>();
  #stored = 0;
  #used = 0;

  get bytes(): number {
    return this.#stored;
  }

  /** Whether it is worth being tidied. */
  get wasteful(): boolean {
    return this.#stored - this.#used > Math.max(this.#used, WASTE_BYTES_MIN);
  }

  /** Takes a chunk in, of whose bytes all are in use. */
  add(slab: Buffer): void {
    if (slab.length === 0) return;
    this.#slabs.set(slab, slab.length);
    this.#stored += slab.length;
    this.#used += slab.length;
  }

  release({ slab, bytes }: SlabRange): void {
    const used = this.#slabs.get(slab);
    if (used === undefined) return;
    this.#used -= bytes;
    if (used > bytes) this.#slabs.set(slab, used - bytes);
    else {
      this.#slabs.delete(slab);
      this.#stored -= slab.length;
    }
  }

  /** Moves all texts together; `places` must be all there are. */
  tidy(places: Iterable<SlabRange>): void {
    const moved: SlabRange[] = [];
    let bytes = 0;
    const before = [...this.#slabs.keys()];
    const close = (): void => {
      const slab = Buffer.allocUnsafeSlow(bytes);
      let at = 0;
      for (const place of moved) {
        place.slab.copy(slab, at, place.start, place.start + place.bytes);
        place.slab = slab;
        place.start = at;
        at += place.bytes;
      }
      this.add(slab);
      moved.length = 0;
      bytes = 0;
    };
    for (const place of places) {
      if (bytes > 0 && bytes + place.bytes > SLAB_BYTES_MAX) close();
      moved.push(place);
      bytes += place.bytes;
    }
    if (bytes > 0) close();
    for (const slab of before) {
      this.#stored -= slab.length;
      this.#used -= this.#slabs.get(slab)!;
      this.#slabs.delete(slab);
    }
  }
}

/** Writes texts and copies of texts one behind the other, for a chunk of the shelf or for an answer. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafeSlow(1 << 16);
  #at = 0;

  get at(): number {
    return this.#at;
  }

  /** How many bytes it took. */
  text(text: string): number {
    this.#reserve(text.length * 3);
    const written = this.#buffer.write(text, this.#at);
    this.#at += written;
    return written;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = byte;
  }

  copy(slab: Buffer, start: number, bytes: number): void {
    this.#reserve(bytes);
    slab.copy(this.#buffer, this.#at, start, start + bytes);
    this.#at += bytes;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** What was written since the last time. */
  take(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.#at);
    this.#buffer.copy(taken, 0, 0, this.#at);
    this.#at = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}
