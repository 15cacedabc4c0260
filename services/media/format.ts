// Recognises a file's format by its first bytes.

const PICTURE_FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const;

export type PictureFormat = (typeof PICTURE_FORMATS)[number];
export type FileFormat = PictureFormat | 'mp4';

const MP4_BRANDS = new Set([
  'isom',
  'iso2',
  'iso4',
  'iso5',
  'iso6',
  'mp41',
  'mp42',
  'avc1',
  'M4V ',
  'dash',
  'MSNV',
  'qt  ',
]);

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.max(0, Math.min(length, bytes.length - from))).toString(
    'latin1',
  );

/** Brands of an ISO media file: what its first box says that it is, and what else it is compatible with. */
const brandsOf = (bytes: Uint8Array): string[] => {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
  const text = textAt(bytes, 8, Math.min(size, 256) - 8);
  const compatible = text.slice(8).match(/[\s\S]{4}/g) ?? [];
  return [text.slice(0, 4), ...compatible];
};

export const formatOf = (bytes: Uint8Array): FileFormat | null => {
  if (bytes.length < 16) return null;
  if (textAt(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
  if (textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return 'gif';
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP') return 'webp';
  if (textAt(bytes, 4, 4) !== 'ftyp') return null;
  const brands = brandsOf(bytes);
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif';
  return brands.some((brand) => MP4_BRANDS.has(brand)) ? 'mp4' : null;
};
