// Copies a GIF without its comments, its foreign extensions and bytes after its end. Frames keep their bytes, since
// encoding them anew would take minutes and lose colours.

const TRAILER = 0x3b;
const IMAGE = 0x2c;
const EXTENSION = 0x21;
/** Extensions that a picture needs: the delay and disposal of a frame, and the number of repetitions. */
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const LOOPS: readonly string[] = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

const SCREEN_BYTES = 13;
const DESCRIPTOR_BYTES = 10;

/** Size of the colour table that a flag byte announces. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

const afterBlocks = (bytes: Uint8Array, from: number): number | null => {
  for (let at = from; at < bytes.length; at += bytes[at]! + 1) if (bytes[at] === 0) return at + 1;
  return null;
};

const isNeeded = (bytes: Uint8Array, at: number): boolean => {
  const label = bytes[at + 1];
  if (label === CONTROL) return true;
  return label === APPLICATION && LOOPS.includes(Buffer.from(bytes.subarray(at + 3, at + 14)).toString('latin1'));
};

export const bareGif = (bytes: Uint8Array): Uint8Array | null => {
  let at = SCREEN_BYTES + tableBytes(bytes[10] ?? 0);
  const parts = [bytes.subarray(0, at)];
  while (at < bytes.length && bytes[at] !== TRAILER) {
    const isImage = bytes[at] === IMAGE;
    if (!isImage && bytes[at] !== EXTENSION) return null;
    // The pixels of a frame begin with the size of their codes.
    const blocks = isImage ? at + DESCRIPTOR_BYTES + tableBytes(bytes[at + 9] ?? 0) + 1 : at + 2;
    const end = afterBlocks(bytes, blocks);
    if (end === null) return null;
    if (isImage || isNeeded(bytes, at)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat([...parts, Uint8Array.of(TRAILER)]);
};
