// Pictures and a video for tests of uploads, made by the same library that converts them.
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** A picture of two colours: red on the left, blue on the right. */
export const twoColours = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c00' } }).composite([
    {
      input: { create: { width: width >> 1, height, channels: 3, background: '#00c' } },
      left: width - (width >> 1),
      top: 0,
    },
  ]);

export const jpeg = async (width = 40, height = 20): Promise<Buffer> => twoColours(width, height).jpeg().toBuffer();
export const png = async (width = 40, height = 20): Promise<Buffer> => twoColours(width, height).png().toBuffer();

/** A JPEG with a GPS position and a camera's name, stored lying on its side: upright it is 20 wide and 40 high. */
export const jpegWithExif = async (): Promise<Buffer> =>
  twoColours(40, 20)
    .withExif({
      IFD0: { Make: 'SecretCamera', Copyright: 'Ada' },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '1/1 17/1 11/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

export const gifOf = async (frames: number): Promise<Buffer> => {
  const [width, height] = [16, 12];
  const pixels = Buffer.concat(
    Array.from({ length: frames }, (_, at) => Buffer.alloc(width * height * 3, (at * 60) % 256)),
  );
  return sharp(pixels, { raw: { width, height: height * frames, channels: 3, pageHeight: height } })
    .gif({ delay: Array.from({ length: frames }, () => 100) })
    .toBuffer();
};

const crcOf = (bytes: Uint8Array): number => Bun.hash.crc32(bytes);

const pngChunk = (type: string, content: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crcOf(body));
  return Buffer.concat([length, body, check]);
};

/** A black PNG of one bit a pixel: a few bytes for millions of pixels. */
export const plainPng = (width: number, height: number): Buffer<ArrayBuffer> => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
};

const box = (type: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};

/** An MP4's boxes around bytes that no player reads, with a position in its metadata. `turned` by 90 degrees. */
export const mp4 = ({ width = 640, height = 360, turned = false, bytes = 64 } = {}): Buffer => {
  const header = Buffer.alloc(84);
  const matrix = turned
    ? [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
    : [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];
  for (const [at, value] of matrix.entries()) header.writeInt32BE(value, 40 + at * 4);
  header.writeUInt32BE(width * 0x10000, 76);
  header.writeUInt32BE(height * 0x10000, 80);
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isommp42', 'latin1')),
    box('moov', box('trak', box('tkhd', header)), box('udta', Buffer.from('\xa9xyz-01.2864+036.8172/', 'latin1'))),
    box('mdat', Buffer.alloc(bytes, 7)),
  ]);
};
