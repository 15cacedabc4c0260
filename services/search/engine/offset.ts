// Where each of many short texts begins in one array, and the last one ends: two bytes a text and four for 256 of them.

const BLOCK_SHIFT = 8;
const BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
/** Longest text in bytes: of a block each begins within 65,536 of the first. */
export const TEXT_BYTES_MAX = 256;
/** What does not fit has room for so much more. */
export const GROWTH = 1.125;

/** Offsets as they are saved. */
export interface OffsetsState {
  readonly blocks: Uint32Array;
  readonly offsets: Uint16Array;
  readonly size: number;
}

export class Offsets {
  /** Where the first of each block begins. */
  #blocks: Uint32Array = new Uint32Array(1 << 2);
  /** How far behind that each begins. */
  #offsets: Uint16Array = new Uint16Array(1 << 10);
  #size = 1;

  get state(): OffsetsState {
    return { blocks: this.#blocks, offsets: this.#offsets, size: this.#size };
  }

  restore({ blocks, offsets, size }: OffsetsState): void {
    this.#blocks = blocks;
    this.#offsets = offsets;
    this.#size = size;
  }

  get memoryBytes(): number {
    return this.#blocks.byteLength + this.#offsets.byteLength;
  }

  /** Of the text with this number; of the one that is not there yet, where the last one ends. */
  start(text: number): number {
    return this.#blocks[text >>> BLOCK_SHIFT]! + this.#offsets[text]!;
  }

  /** The next text ends here. */
  push(end: number): void {
    const text = this.#size++;
    if (text === this.#offsets.length) this.#lengthen();
    if ((text & BLOCK_MASK) === 0) this.#blocks[text >>> BLOCK_SHIFT] = end;
    this.#offsets[text] = end - this.#blocks[text >>> BLOCK_SHIFT]!;
  }

  #lengthen(): void {
    const room = ((Math.ceil(this.#offsets.length * GROWTH) >>> BLOCK_SHIFT) + 1) << BLOCK_SHIFT;
    const blocks = new Uint32Array(room >>> BLOCK_SHIFT);
    blocks.set(this.#blocks);
    this.#blocks = blocks;
    const offsets = new Uint16Array(room);
    offsets.set(this.#offsets);
    this.#offsets = offsets;
  }
}
