// Decodes pictures and writes them anew: upright, without metadata, and in narrower renditions. The library works in
// another thread.
import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { RENDITION_WIDTHS } from '#services/commerce/public_path.ts';
import type { PictureFormat } from './format.ts';
import { bareGif } from './gif.ts';

/** Memory of a decoded picture: four bytes a pixel. Telephones take pictures of 50 million. */
const PIXELS_MAX = 64_000_000;
const WEBP_SIDE_MAX = 16_383;
const STEP_S_MAX = 20;

export interface Rendition {
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly renditions: readonly Rendition[];
}

/** Why bytes are no picture that is accepted, as the end of a sentence. */
export class Unfit {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

type Library = (input: Uint8Array, options?: SharpOptions) => Sharp;

let library: Promise<Library> | null = null;

/** Loads the library at the first upload, and leaves it only the decoders of accepted formats. */
const openLibrary = (): Promise<Library> => {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: [
        'VipsForeignLoadJpegBuffer',
        'VipsForeignLoadPngBuffer',
        'VipsForeignLoadWebpBuffer',
        'VipsForeignLoadHeifBuffer',
        'VipsForeignLoadNsgifBuffer',
      ],
    });
    return sharp;
  });
  return library;
};

const isAnimated = ({ pages }: Metadata): boolean => (pages ?? 1) > 1;

const sizeOf = ({ width, height, pageHeight, autoOrient, pages }: Metadata): { width: number; height: number } =>
  (pages ?? 1) > 1 ? { width, height: pageHeight ?? height } : autoOrient;

const judgeSize = (metadata: Metadata): Unfit | null => {
  const { width, height } = sizeOf(metadata);
  const pages = metadata.pages ?? 1;
  const shown = `${width} × ${height} pixels${pages > 1 ? ` in ${pages} frames` : ''}`;
  if (width * height * pages > PIXELS_MAX) return new Unfit(`has ${shown}; send at most 64 million pixels`);
  if (Math.max(width, height) > WEBP_SIDE_MAX) return new Unfit(`has ${shown}; send at most 16,383 a side`);
  return null;
};

type Open = () => Sharp;

const CONTENT_TYPES: Readonly<Record<PictureFormat, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/webp',
  gif: 'image/gif',
};

const ENCODERS: Readonly<Record<Exclude<PictureFormat, 'gif'>, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 90 }),
  png: (image) => image.png(),
  webp: (image) => image.webp({ quality: 90, effort: 2 }),
  avif: (image) => image.webp({ quality: 90, effort: 2 }),
};

class Damaged extends Error {}

/** Returns the file without metadata, which also proves that it can be decoded; a GIF is decoded with its renditions. */
const writeAnew = async (source: Uint8Array, format: PictureFormat, open: Open): Promise<Uint8Array> => {
  if (format !== 'gif') return ENCODERS[format](open()).timeout({ seconds: STEP_S_MAX }).toBuffer();
  const bare = bareGif(source);
  if (bare === null) throw new Damaged();
  return bare;
};

const WEBP = { quality: 80, effort: 3 } as const;
/** Encoding a frame costs as much as a picture. */
const WEBP_ANIMATED = { quality: 75, effort: 1 } as const;

/** Each file with its width; a picture is never enlarged, so the last may be the picture's own width. */
const widthsOf = (width: number): { file: string; width: number }[] => {
  const wider = RENDITION_WIDTHS.findIndex((each) => each >= width);
  const files = wider < 0 ? RENDITION_WIDTHS : RENDITION_WIDTHS.slice(0, wider + 1);
  return files.map((each) => ({ file: String(each), width: Math.min(each, width) }));
};

const renditionsOf = async (sharp: Library, open: Open, animated: boolean, width: number): Promise<Rendition[]> => {
  const wanted = widthsOf(width);
  const finish = async (image: Sharp, file: string): Promise<Rendition> => {
    const { data, info } = await image.timeout({ seconds: STEP_S_MAX }).toBuffer({ resolveWithObject: true });
    return { file, width: info.width, height: info.pageHeight ?? info.height, bytes: data };
  };
  const renditions: Rendition[] = [];
  if (animated) {
    for (const { file, width: each } of wanted)
      renditions.push(await finish(open().resize({ width: each }).webp(WEBP_ANIMATED), file));
    return renditions;
  }
  // Decodes the picture once; the narrower ones come from the pixels of the widest.
  const { data, info } = await open()
    .resize({ width: wanted.at(-1)!.width })
    .toColourspace('srgb')
    .raw()
    .timeout({ seconds: STEP_S_MAX })
    .toBuffer({ resolveWithObject: true });
  const { channels, height, width: widest } = info;
  for (const { file, width: each } of wanted)
    renditions.push(
      await finish(
        sharp(data, { raw: { width: widest, height, channels } })
          .resize({ width: each })
          .webp(WEBP),
        file,
      ),
    );
  return renditions;
};

const convert = async (sharp: Library, source: Uint8Array, format: PictureFormat): Promise<Picture | Unfit> => {
  // Reads the header alone, so that a refusal can tell the size.
  const metadata = await sharp(source, { limitInputPixels: false }).metadata();
  const unfit = judgeSize(metadata);
  if (unfit) return unfit;
  const animated = isAnimated(metadata) && (format === 'gif' || format === 'webp');
  const opener =
    (bytes: Uint8Array): Open =>
    () => {
      const image = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', animated });
      return animated ? image : image.autoOrient();
    };
  const { width, height } = sizeOf(metadata);
  const bytes = await writeAnew(source, format, opener(source));
  // An AVIF takes several times as long to decode as the WebP that was made of it.
  const open = opener(format === 'avif' ? bytes : source);
  const renditions = await renditionsOf(sharp, open, animated, width);
  return { width, height, contentType: CONTENT_TYPES[format], bytes, renditions };
};

export const readPicture = async (source: Uint8Array, format: PictureFormat): Promise<Picture | Unfit> => {
  const sharp = await openLibrary();
  try {
    return await convert(sharp, source, format);
  } catch (problem) {
    if (!(problem instanceof Error)) throw problem;
    if (/timeout/i.test(problem.message))
      return new Unfit(`takes more than ${STEP_S_MAX} seconds to convert; send a smaller picture`);
    return new Unfit(`is damaged, since its content cannot be decoded as ${format.toUpperCase()}`);
  }
};
