// Arrays of unsigned integers with the narrowest element type that fits, because most stores have few brands,
// attributes and reviews.

export type CompactUints = Uint8Array | Uint16Array | Uint32Array;

const BYTE_MAX = 0xff;
const HALF_MAX = 0xffff;

const room = (bytes: number, length: number): CompactUints =>
  bytes === 1 ? new Uint8Array(length) : bytes === 2 ? new Uint16Array(length) : new Uint32Array(length);

const bytesFor = (number: number): number => (number <= BYTE_MAX ? 1 : number <= HALF_MAX ? 2 : 4);

/** Returns a wider array if the number does not fit. */
export const withNumber = (numbers: CompactUints, at: number, number: number): CompactUints => {
  const bytes = bytesFor(number);
  let own = numbers;
  if (bytes > numbers.BYTES_PER_ELEMENT) {
    own = room(bytes, numbers.length);
    own.set(numbers);
  }
  own[at] = number;
  return own;
};

export const lengthened = (numbers: CompactUints, length: number): CompactUints => {
  const longer = room(numbers.BYTES_PER_ELEMENT, length);
  longer.set(numbers);
  return longer;
};

export const emptyLike = (numbers: CompactUints, length: number): CompactUints =>
  room(numbers.BYTES_PER_ELEMENT, length);
