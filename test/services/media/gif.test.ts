// GIFs without comments and appended bytes: frames and their timing stay byte by byte.
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { bareGif } from '#services/media/gif.ts';
import { gifOf } from '#test/support/picture.ts';

const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('Nairob'), Buffer.from([0])]);
/** XMP as an application extension. */
const application = Buffer.concat([
  Buffer.from([0x21, 0xff, 11]),
  Buffer.from('XMP DataXMP'),
  Buffer.from([3, 65, 66, 67, 0]),
]);

/** The GIF with more between its colour table and its first block. */
const withBlocks = (gif: Buffer, ...more: Buffer[]): Buffer => {
  const flags = gif[10]!;
  const start = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  return Buffer.concat([gif.subarray(0, start), ...more, gif.subarray(start)]);
};

test('comments, foreign extensions and appended bytes are dropped, and frames keep their bytes and timing', async () => {
  const gif = await gifOf(4);
  const dressed = Buffer.concat([withBlocks(gif, comment, application), Buffer.from('<script>')]);
  const bare = Buffer.from(bareGif(dressed)!);
  expect(bare.equals(Buffer.from(bareGif(gif)!))).toBe(true);
  const [before, after] = await Promise.all(
    [gif, bare].map((bytes) => sharp(bytes, { animated: true }).raw().toBuffer({ resolveWithObject: true })),
  );
  expect(after!.data.equals(before!.data)).toBe(true);
  expect(await sharp(bare, { animated: true }).metadata()).toMatchObject({
    pages: 4,
    delay: [100, 100, 100, 100],
    loop: 0,
  });
});

test('every cut of a GIF is null, or a GIF of the frames before the cut', async () => {
  const gif = await gifOf(3);
  for (let length = 14; length < gif.length; length += 1) {
    const bare = bareGif(gif.subarray(0, length));
    if (bare !== null) expect(bare.length).toBeLessThanOrEqual(length + 1);
  }
  expect(bareGif(gif.subarray(0, gif.length - 8))).toBeNull();
});

test('a block that is none is null', async () => {
  expect(bareGif(withBlocks(await gifOf(2), Buffer.from([0x99])))).toBeNull();
});
