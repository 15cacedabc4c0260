// Start offsets of many short texts: four bytes for each block of 256 texts, and two bytes per text.

const BLOCK_SHIFT = 8;
const BLOCK_MASK = (1 << BLOCK_SHIFT) - 1;
export const TEXT_BYTES_MAX = 256;
export const GROWTH = 1.125;

export interface OffsetsState {
  readonly blocks: Uint32Array;
  readonly offsets: Uint16Array;
  readonly size: number;
}

export class Offsets {
  #blocks: Uint32Array = new Uint32Array(1 << 2);
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

  /** Returns where a text starts; for the number after the last text, where the last text ends. */
  start(text: number): number {
    return this.#blocks[text >>> BLOCK_SHIFT]! + this.#offsets[text]!;
  }

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
