// The shape of a zone: GeoJSON is read and written, closed rings and several parts too.
import { describe, expect, it } from 'vitest';
import { boundsOf, geometryOf, ringsOf, textOfRing } from '#edge/pages/dashboard/delivery/area_shape.ts';

const CORNERS = [
  { latitude: -1.3, longitude: 36.7 },
  { latitude: -1.3, longitude: 36.9 },
  { latitude: -1.2, longitude: 36.9 },
];

describe('the shape of a zone', () => {
  it('writes a closed ring and reads its corners', () => {
    const text = textOfRing(CORNERS);
    expect(geometryOf(text)).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [36.7, -1.3],
          [36.9, -1.3],
          [36.9, -1.2],
          [36.7, -1.3],
        ],
      ],
    });
    expect(ringsOf(text)).toEqual([CORNERS]);
  });

  it('reads a single corner', () => {
    expect(ringsOf(textOfRing(CORNERS.slice(0, 1)))).toEqual([CORNERS.slice(0, 1)]);
    expect(textOfRing([])).toBe('');
  });

  it('reads the rings of all parts', () => {
    const ring = CORNERS.map(({ latitude, longitude }) => [longitude, latitude]);
    const text = JSON.stringify({ type: 'MultiPolygon', coordinates: [[ring, ring], [ring]] });
    expect(ringsOf(text)).toEqual([CORNERS, CORNERS, CORNERS]);
  });

  it('reads no ring from a text that is no geometry', () => {
    for (const text of ['', '{', '[]', '{"type":"Point","coordinates":[1,2]}', '{"type":"Polygon"}', 'null'])
      expect(ringsOf(text).flat(), text).toEqual([]);
    expect(geometryOf('{')).toBe('{');
  });

  it('computes bounds', () => {
    expect(boundsOf([])).toBeNull();
    expect(boundsOf(CORNERS)?.centre.latitude).toBeCloseTo(-1.25);
    expect(boundsOf(CORNERS)?.wide).toBeCloseTo(0.2);
  });
});
