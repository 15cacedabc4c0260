// Reads the body of a response up to a bound, which counts the bytes after decompression.

/** Returns null for a longer body, the rest of which is not read. */
export const readBounded = async (response: Response, bytesMax: number): Promise<Uint8Array | null> => {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > bytesMax) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
};
