// The demo shop's lookbooks show what the shop sells, where it stands in the picture.
import { describe, expect, test } from 'vitest';
import { picture } from '#edge/pages/picture.ts';
import { COLLECTIONS } from '#services/cli/demo/collection.ts';
import { LOOKBOOKS } from '#services/cli/demo/look.ts';
import { PRODUCTS } from '#services/cli/demo/product.ts';

describe.each(LOOKBOOKS.map((lookbook) => [lookbook.title, lookbook] as const))('%s', (_, { images, collection }) => {
  test('stands on a collection, and its products are sold', () => {
    expect(COLLECTIONS.map(({ slug }) => slug)).toContain(collection);
    const sold = PRODUCTS.map(({ name }) => name);
    const shown = images.flatMap(({ hotspots }) => hotspots.map(({ product }) => product));
    expect(shown.filter((name) => !sold.includes(name))).toEqual([]);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('is pictured, and each hotspot lies on a thing that is drawn of its product', async () => {
    expect(picture(`scene-${images[0]?.scene}-tall.svg`)).not.toBeNull();
    for (const { scene, hotspots } of images) {
      const svg = (await picture(`scene-${scene}-wide.svg`)?.text()) ?? '';
      // What stands there is set down in the middle of its own 800 by 800, its feet at 638.
      const places = [...svg.matchAll(/translate\((-?\d+) (-?\d+)\) scale\(([\d.]+)\)/g)].map(([, x, y, scale]) => ({
        x: (Number(x) + 400 * Number(scale)) / 1600,
        top: (Number(y) + 200 * Number(scale)) / 900,
        feet: (Number(y) + 638 * Number(scale)) / 900,
      }));
      for (const { product, x, y } of hotspots) {
        const there = places.filter((place) => Math.abs(place.x - x) < 0.02 && place.top < y && y < place.feet);
        expect(there, `${scene}: ${product}`).toHaveLength(1);
      }
    }
  });
});
