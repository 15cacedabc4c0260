// Uploaded pictures are offered in their widths; others as they are.
import { expect, test } from 'vitest';
import { sourceOf } from '#edge/pages/storefront/picture.ts';

const MEDIA = 'https://api.example/media/7f3a/sandbox/01a2-b3';

test('offers the widths of an uploaded picture', () => {
  expect(sourceOf(MEDIA, '50vw')).toEqual({
    src: `${MEDIA}/800.webp`,
    srcset: `${MEDIA}/320.webp 320w, ${MEDIA}/800.webp 800w, ${MEDIA}/1600.webp 1600w`,
    sizes: '50vw',
  });
});

test.each([
  'https://cdn.example/mug.jpg',
  'https://cdn.example/media/mug.jpg',
  `${MEDIA}/320.webp`,
  `${MEDIA}?v=1`,
  '/demo/pictures/mark.svg',
])('leaves %s as it is', (url) => expect(sourceOf(url, '50vw')).toEqual({ src: url }));
