// Reads newline-delimited JSON, one value per line.
const LINE_FEED = 0x0a;

const isBlank = (bytes: Uint8Array, from: number, to: number): boolean => {
  for (let at = from; at < to; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false;
  }
  return true;
};

export function* ndjsonRows(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    const to = end < 0 ? bytes.length : end;
    if (!isBlank(bytes, from, to)) yield bytes.subarray(from, to);
    from = to + 1;
  }
}
