// The strokes that every drawing is made of: turned bodies, rims, bands, boxes, lines and leaves on an 800 by 800 sheet.
import { INK, LEAF, type Palette } from './palette.ts';

/** A drawing is a list of SVG elements; the object stands on the ground at y = 640, its middle at x = 400. */
export type PictureShape = (palette: Palette) => readonly string[];
export type Shapes = Readonly<Record<string, PictureShape>>;
export type PicturePoint = readonly [number, number];
export type Paint = Pick<Palette, 'main' | 'shade' | 'light'>;

/** How flat a circle lies when looked at slightly from above. */
const TILT = 0.15;
const MIDDLE = 400;

const n = (value: number): string => String(Math.round(value * 10) / 10);

export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
export const circle = (x: number, y: number, r: number, fill: string): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"/>`;
export const oval = (x: number, y: number, rx: number, ry: number, fill: string, turn = 0): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}"${turned(turn, x, y)}/>`;
export const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
export const box = (x: number, y: number, w: number, h: number, round: number, fill: string, turn = 0): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" rx="${round}" fill="${fill}"${turned(turn, x + w / 2, y + h / 2)}/>`;
export const group = (transform: string, elements: readonly string[], opacity = 1): string =>
  `<g transform="${transform}"${opacity === 1 ? '' : ` opacity="${opacity}"`}>${elements.join('')}</g>`;
export const faded = (opacity: number, elements: readonly string[]): string =>
  `<g opacity="${opacity}">${elements.join('')}</g>`;

const turned = (degrees: number, x: number, y: number): string =>
  degrees === 0 ? '' : ` transform="rotate(${degrees} ${n(x)} ${n(y)})"`;

/** The same stroke `count` times: `draw` is given 0, 1, 2 … */
export const repeat = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A smooth curve through the points, without its opening move. */
const smooth = (points: readonly PicturePoint[]): string =>
  points
    .slice(1)
    .map((to, index) => {
      const from = points[index] as PicturePoint;
      const before = points[index - 1] ?? from;
      const after = points[index + 2] ?? to;
      const [ax, ay] = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
      const [bx, by] = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
      return `C${n(ax)} ${n(ay)} ${n(bx)} ${n(by)} ${n(to[0])} ${n(to[1])}`;
    })
    .join('');

export const curve = (points: readonly PicturePoint[]): string => {
  const [x, y] = points[0] as PicturePoint;
  return `M${n(x)} ${n(y)}${smooth(points)}`;
};

/** A body turned on a wheel, from its half outline `[radius, y]` top to bottom: lit from the left, shaded on the right. */
export const turn = (outline: readonly PicturePoint[], paint: Paint, x = MIDDLE): string => {
  const side = (share: number): PicturePoint[] => outline.map(([r, y]) => [x + r * share, y + rim(r, share)]);
  const [top, foot] = [outline[0] as PicturePoint, outline[outline.length - 1] as PicturePoint];
  const arc = (r: number, to: PicturePoint): string => `A${n(r)} ${n(r * TILT)} 0 0 0 ${n(to[0])} ${n(to[1])}`;
  const right = side(1).reverse();
  const whole = `${curve(side(-1))}${arc(foot[0], right[0] as PicturePoint)}${smooth(right)}${arc(top[0], [x - top[0], top[1]])}Z`;
  const shade = `${curve(side(0.5))}${arc(foot[0], right[0] as PicturePoint)}${smooth(right)}Z`;
  const gleam = outline.map(([r, y]): PicturePoint => [x - r * 0.74, y + rim(r, 0.74)]);
  return path(whole, paint.main) + path(shade, paint.shade) + faded(0.55, [line(middle(gleam), paint.light, 12)]);
};

/** How far below its middle a flat circle's front edge is at `share` of the radius. */
const rim = (r: number, share: number): number => r * TILT * Math.sqrt(1 - share * share);

/** The curve without its ends, for a gleam that does not touch the rims. */
const middle = (points: readonly PicturePoint[]): string => {
  const [first, last] = [points[0] as PicturePoint, points[points.length - 1] as PicturePoint];
  const height = last[1] - first[1];
  const inner = points.filter(([, y]) => y > first[1] + height * 0.16 && y < last[1] - height * 0.16);
  const ends = (share: number): PicturePoint => [first[0] + (last[0] - first[0]) * share, first[1] + height * share];
  return curve(inner.length > 1 ? inner : [ends(0.2), ...inner, ends(0.7)]);
};

/** An opening seen slightly from above: the rim, and the dark inside it. */
export const mouth = (r: number, y: number, rim: string, inside: string, x = MIDDLE): string =>
  oval(x, y, r, r * TILT, rim) + oval(x, y + r * 0.012, r * 0.9, r * TILT * 0.84, inside);

/** A stripe around a turned body, between two heights, shaded on the right like the body. */
export const band = (r1: number, y1: number, r2: number, y2: number, fill: string, x = MIDDLE): string => {
  const stripe = (share: number): string => {
    const [x1, x2] = [n(x - r1 * share), n(x - r2 * share)];
    const [h1, h2] = [n(y1 + rim(r1, share)), n(y2 + rim(r2, share))];
    return `M${x1} ${h1}A${n(r1)} ${n(r1 * TILT)} 0 0 0 ${n(x + r1)} ${n(y1)}L${n(x + r2)} ${n(y2)}A${n(r2)} ${n(r2 * TILT)} 0 0 1 ${x2} ${h2}Z`;
  };
  return path(stripe(1), fill) + faded(0.2, [path(stripe(-0.5), INK)]);
};

/** The front half of a circle around a turned body, as a thread. */
export const hoop = (r: number, y: number, stroke: string, width: number, x = MIDDLE): string =>
  line(`M${n(x - r)} ${n(y)}A${n(r)} ${n(r * TILT)} 0 0 0 ${n(x + r)} ${n(y)}`, stroke, width);

/** A leaf from its stalk at `x, y`, pointing `degrees` clockwise from straight up. */
export const leaf = (x: number, y: number, length: number, degrees: number, paint: Paint = LEAF): string =>
  group(`translate(${n(x)} ${n(y)}) rotate(${n(degrees)}) scale(${n(length) === '0' ? 1 : length / 100})`, [
    path('M0 0C-38-28-30-78 0-100C30-78 38-28 0 0Z', paint.main),
    path('M0 0C30-28 30-78 0-100Z', paint.shade),
  ]);

/** A sprig: leaves on both sides of a bent stalk. */
export const sprig = (x: number, y: number, height: number, bend: number, paint: Paint = LEAF): string => {
  const at = (share: number): PicturePoint => [x + bend * share * share, y - height * share];
  return (
    line(curve([at(0), at(0.35), at(0.7), at(1)]), paint.shade, 5) +
    repeat(5, (index) => {
      const [lx, ly] = at(0.28 + index * 0.16);
      return leaf(lx, ly, 74 - index * 7, index % 2 === 0 ? -58 : 58, paint);
    }) +
    leaf(...at(0.97), 58, bend / 6, paint)
  );
};

/** Steam, light and air: three soft threads. */
export const steam = (x: number, y: number): string =>
  faded(
    0.75,
    [-46, 0, 46].map((dx, index) => {
      const top = y - (index === 1 ? 130 : 100);
      return line(
        curve([
          [x + dx, y],
          [x + dx + 16, y - 36],
          [x + dx - 12, y - 72],
          [x + dx + 6, top],
        ]),
        '#ffffff',
        9,
      );
    }),
  );
