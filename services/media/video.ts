// Reads an MP4's boxes: checks that they fill the file, finds the size of the picture, and blanks the metadata.

export interface Video {
  readonly width: number;
  readonly height: number;
  /** The file without its metadata; all else is where it was. */
  readonly bytes: Uint8Array;
}

interface Box {
  readonly type: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;
/** Boxes of one level; files have about ten. */
const BOXES_MAX = 10_000;
/** Boxes that may hold a position, a device or a person: all else that the file says of itself. */
const METADATA: ReadonlySet<string> = new Set(['udta', 'meta', 'uuid']);

const boxesIn = (view: DataView, from: number, to: number): Box[] | null => {
  const boxes: Box[] = [];
  for (let at = from; at < to; ) {
    if (to - at < HEADER_BYTES || boxes.length >= BOXES_MAX) return null;
    const short = view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    const isLong = short === 1;
    if (isLong && to - at < LONG_HEADER_BYTES) return null;
    const size = isLong ? Number(view.getBigUint64(at + HEADER_BYTES)) : short === 0 ? to - at : short;
    const header = isLong ? LONG_HEADER_BYTES : HEADER_BYTES;
    if (size < header || size > to - at) return null;
    boxes.push({ type, at, from: at + header, to: at + size });
    at += size;
  }
  return boxes;
};

const sizeOf = (view: DataView, { from, to }: Box): { width: number; height: number } | null => {
  const version = to > from ? view.getUint8(from) : 0;
  const matrix = from + (version === 1 ? 52 : 40);
  if (to < matrix + 44) return null;
  const [width, height] = [view.getUint32(matrix + 36) >>> 16, view.getUint32(matrix + 40) >>> 16];
  if (width === 0 || height === 0) return null;
  const isTurned = view.getInt32(matrix) === 0 && view.getInt32(matrix + 4) !== 0;
  return isTurned ? { width: height, height: width } : { width, height };
};

const blank = (bytes: Uint8Array, view: DataView, { at, from, to }: Box): void => {
  bytes.fill(0, from, to);
  // A `free` box has no meaning.
  view.setUint32(at + 4, 0x66726565);
};

const blankMetadata = (bytes: Uint8Array, view: DataView, boxes: readonly Box[]): void => {
  for (const box of boxes) {
    if (METADATA.has(box.type)) blank(bytes, view, box);
    else if (box.type === 'moov' || box.type === 'trak') {
      const inner = boxesIn(view, box.from, box.to);
      if (inner) blankMetadata(bytes, view, inner);
    }
  }
};

export const readVideo = (source: Uint8Array): Video | null => {
  const bytes = source.slice();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const boxes = boxesIn(view, 0, bytes.length);
  const movie = boxes?.find(({ type }) => type === 'moov');
  if (!boxes || !movie || !boxes.some(({ type }) => type === 'mdat')) return null;
  const tracks = boxesIn(view, movie.from, movie.to)?.filter(({ type }) => type === 'trak') ?? [];
  for (const track of tracks) {
    const header = boxesIn(view, track.from, track.to)?.find(({ type }) => type === 'tkhd');
    const size = header ? sizeOf(view, header) : null;
    if (!size) continue;
    blankMetadata(bytes, view, boxes);
    return { ...size, bytes };
  }
  return null;
};
