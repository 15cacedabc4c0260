// The demo shop's pictures, drawn from their own names: `mug-indigo.svg`, `scene-slow-mornings-wide.svg`, `mark.svg`.
import { BAGS } from './picture/bag.ts';
import { CERAMICS } from './picture/ceramic.ts';
import { COFFEE } from './picture/coffee.ts';
import { GARDEN } from './picture/garden.ts';
import { KITCHEN } from './picture/kitchen.ts';
import { LIGHTS } from './picture/lighting.ts';
import { OUTDOORS } from './picture/outdoor.ts';
import { PALETTES, type Palette } from './picture/palette.ts';
import { box, circle, oval, type PictureShape } from './picture/pen.ts';
import { mark, scene } from './picture/scene.ts';
import { STATIONERY } from './picture/stationery.ts';
import { TEXTILES } from './picture/textile.ts';

const SHAPES: ReadonlyMap<string, PictureShape> = new Map(
  Object.entries<PictureShape>({
    ...BAGS,
    ...CERAMICS,
    ...COFFEE,
    ...GARDEN,
    ...KITCHEN,
    ...LIGHTS,
    ...OUTDOORS,
    ...STATIONERY,
    ...TEXTILES,
  }),
);

/** Every object that can be drawn, and every colour it can have. */
export const OBJECT_NAMES: readonly string[] = [...SHAPES.keys()];
export const COLOUR_NAMES: readonly string[] = [...PALETTES.keys()];

const FILE = /^([a-z]{1,20}(?:-[a-z]{1,20}){0,5})\.svg$/;
const OBJECT = /^(.+)-([a-z]+)$/;
const SCENE = /^scene-(.+)-(wide|tall)$/;

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/** The answer to `GET /demo/pictures/<file>`; null where no such picture is known. Touches no disk. */
export const picture = (file: string): Response | null => {
  const name = FILE.exec(file)?.[1];
  const svg = name === undefined ? null : drawn(name);
  return svg === null ? null : new Response(svg, { headers: HEADERS });
};

const drawn = (name: string): string | null => {
  if (name === 'mark') return sheet(800, 800, mark());
  const [, place, form] = SCENE.exec(name) ?? [];
  if (place !== undefined) {
    const [width, height] = form === 'wide' ? [1600, 900] : [900, 1200];
    const elements = scene(place, width as number, height as number, SHAPES);
    return elements && sheet(width as number, height as number, elements);
  }
  const [, object = '', colour = ''] = OBJECT.exec(name) ?? [];
  const [shape, palette] = [SHAPES.get(object), PALETTES.get(colour)];
  return shape && palette ? sheet(800, 800, [...stage(palette), ...shape(palette)]) : null;
};

/** The wall, a low sun, the ground and the shadow that the object throws. */
const stage = (c: Palette): string[] => [
  box(0, 0, 800, 800, 0, c.wall),
  circle(400, 370, 292, c.sun),
  box(0, 640, 800, 160, 0, '#0000000b'),
  oval(410, 644, 240, 26, '#3b2d2521'),
];

const sheet = (width: number, height: number, elements: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${elements.join('')}</svg>`;
