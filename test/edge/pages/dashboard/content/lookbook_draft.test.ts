// The draft of a lookbook: the request that it makes, and hotspots that keys move.
import { expect, test } from 'vitest';
import { draftOf, movedBy, requestOf, shareOf } from '#edge/pages/dashboard/content/lookbook_draft.ts';
import type { StoreLookbook } from '#proto/gen/lookbook.ts';

const SAVED: StoreLookbook = {
  id: 'book',
  title: 'Slow mornings',
  slug: 'slow-mornings',
  description: '',
  featured_image: 'https://pictures.example/a.png',
  video: null,
  collection_id: null,
  status: 'draft',
  published_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  images: [
    {
      url: 'https://pictures.example/a.png',
      hotspots: [
        {
          id: 'spot',
          x: 0.25,
          y: 0.6,
          product_id: 'kettle',
          variant_id: 'blue',
          label: null,
          price: 48,
          currency: 'USD',
          in_stock: true,
          product_slug: 'kettle',
        },
      ],
    },
  ],
};

test('sends saved hotspots with their ids, and new ones without', () => {
  const draft = draftOf(SAVED);
  const image = draft.images[0]!;
  const added = {
    ...image.hotspots[0]!,
    key: 'new',
    id: null,
    variant_id: null,
    label: ' The lid ',
    translations: { de: { label: 'Der Deckel' } },
  };
  const request = requestOf({ ...draft, images: [{ ...image, hotspots: [...image.hotspots, added] }] });
  expect(request.images?.[0]?.hotspots).toEqual([
    { id: 'spot', x: 0.25, y: 0.6, product_id: 'kettle', variant_id: 'blue', label: null, translations: {} },
    {
      x: 0.25,
      y: 0.6,
      product_id: 'kettle',
      variant_id: null,
      label: 'The lid',
      translations: { de: { label: 'Der Deckel' } },
    },
  ]);
});

test('chooses no title picture where the answer shows the first one', () => {
  expect(requestOf(draftOf(SAVED)).featured_image).toBe(null);
  const other = 'https://pictures.example/b.png';
  expect(requestOf(draftOf({ ...SAVED, featured_image: other })).featured_image).toBe(other);
});

test('moves a hotspot by arrow keys, and not over the edge', () => {
  expect(movedBy('ArrowRight', { x: 0.5, y: 0.5 })).toEqual({ x: 0.51, y: 0.5 });
  expect(movedBy('ArrowUp', { x: 0.5, y: 0.005 })).toEqual({ x: 0.5, y: 0 });
  expect(movedBy('Enter', { x: 0.5, y: 0.5 })).toBe(null);
  expect([shareOf(-1), shareOf(2), shareOf(0.12345)]).toEqual([0, 1, 0.123]);
});
