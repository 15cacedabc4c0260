// Drawings of what carries: baskets, totes, packs and pouches.
import { BRASS, INK, WOOD } from './palette.ts';
import { box, circle, faded, hoop, line, mouth, oval, path, repeat, type Shapes, sprig, turn } from './pen.ts';

const zip = (x: number, y: number, width: number, pull: string): string =>
  line(`M${x} ${y}h${width}`, INK, 5) +
  repeat(Math.floor(width / 14), (index) => line(`M${x + 6 + index * 14} ${y - 5}v10`, '#d8c7a6', 3)) +
  box(x + width - 8, y - 4, 12, 36, 5, pull);

export const BAGS: Shapes = {
  basket: (c) => [
    sprig(330, 370, 120, -30),
    line('M276 380c0-260 248-260 248 0', WOOD.shade, 20),
    line('M276 376c0-252 248-252 248 0', WOOD.main, 10),
    turn(
      [
        [158, 380],
        [186, 480],
        [170, 590],
        [136, 632],
      ],
      c,
    ),
    ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((index) => {
      const y = 404 + index * 25;
      const r = [164, 171, 178, 183, 185, 183, 178, 168, 154][index] ?? 160;
      return index % 4 === 1 || index % 4 === 2 ? hoop(r, y, c.accent, 17) : hoop(r, y, c.light, 4);
    }),
    mouth(158, 380, c.light, c.shade),
    circle(276, 392, 12, WOOD.shade),
    circle(524, 392, 12, WOOD.shade),
  ],
  tote: (c) => [
    line('M318 330c0-190 164-190 164 0', c.accent, 18),
    path('M240 316h320l26 322H214z', c.main),
    path('M486 316h74l26 322h-92z', c.shade),
    line('M318 330v70M482 330v70', c.accent, 18),
    line('M244 336h312', c.light, 4),
    circle(400, 500, 66, c.accent),
    path('M322 520c28-34 52-34 78 0s52 24 78-10v40c-20 34-130 34-156 0z', c.light),
    ...[
      [318, 396],
      [482, 396],
    ].map(([x = 0, y = 0]) => circle(x, y, 6, BRASS.main)),
  ],
  backpack: (c) => [
    line('M264 400c-60 30-70 150-30 214M536 400c60 30 70 150 30 214', c.accent, 20),
    line('M364 180c0-50 72-50 72 0', c.accent, 16),
    path('M262 300c0-60 40-84 138-84s138 24 138 84v292c0 34-18 48-50 48H312c-32 0-50-14-50-48z', c.main),
    path('M476 224c44 12 62 36 62 76v292c0 34-18 48-50 48h-40c36-130 40-290 28-416z', c.shade),
    path('M272 176h256c12 0 16 8 14 18l-16 76c-70 24-182 24-252 0l-16-76c-2-10 2-18 14-18z', c.light),
    path('M272 176h256c12 0 16 8 14 18l-4 20c-90 20-186 20-276 0l-4-20c-2-10 2-18 14-18z', c.main),
    box(306, 428, 188, 168, 22, c.main),
    box(306, 428, 188, 168, 22, '#00000012'),
    path('M306 450c0-14 8-22 22-22h144c14 0 22 8 22 22v42c-60 20-128 20-188 0z', c.light),
    ...[338, 462].map((x) => line(`M${x} 240v130`, c.accent, 16) + box(x - 15, 340, 30, 32, 5, BRASS.main)),
    box(386, 470, 28, 52, 6, c.accent),
    circle(400, 506, 7, BRASS.main),
  ],
  'mended-backpack': (c) => [
    ...(BAGS.backpack?.(c) ?? []),
    box(284, 548, 84, 70, 10, c.accent, -8),
    faded(0.9, [
      repeat(4, (index) => line(`M${292 + index * 19} 556l8-16M${300 + index * 19} 626l8-16`, '#f7ecd6', 5)),
    ]),
    line('M470 440l44 26m-34-46l24 66', '#f7ecd6', 5),
  ],
  duffel: (c) => [
    line('M290 400c0-170 220-170 220 0', c.accent, 18),
    path('M160 420c0-44 40-70 90-70h300c50 0 90 26 90 70v150c0 44-40 68-90 68H250c-50 0-90-24-90-68z', c.main),
    path('M540 350c60 0 100 26 100 70v150c0 44-40 68-90 68h-40c40-90 48-200 30-288z', c.shade),
    line('M290 400v238M510 400v238', c.accent, 20),
    zip(220, 376, 350, BRASS.main),
    oval(176, 494, 30, 96, c.light),
    line('M176 450v88', c.accent, 12),
    box(366, 470, 68, 60, 8, c.light),
    ...[
      [290, 420],
      [510, 420],
    ].map(([x = 0, y = 0]) => box(x - 14, y, 28, 28, 5, BRASS.main)),
  ],
  pouch: (c) => [
    path(
      'M176 380h448c16 0 24 8 22 24l-20 206c-2 18-12 28-30 28H204c-18 0-28-10-30-28l-20-206c-2-16 6-24 22-24z',
      c.main,
    ),
    ...[0, 1, 2, 3].map((row) =>
      repeat(7, (column) => {
        const [x, y] = [214 + column * 62 + (row % 2) * 30, 444 + row * 52];
        return x > 600 ? '' : circle(x, y, 22, c.accent) + circle(x, y, 12, c.main) + circle(x, y, 5, c.light);
      }),
    ),
    faded(0.16, [path('M560 380h64c16 0 24 8 22 24l-20 206c-2 18-12 28-30 28h-70c26-80 36-170 34-258z', INK)]),
    path('M160 372h480v24H160z', c.shade),
    zip(176, 384, 440, BRASS.main),
    line('M622 412c40 20 34 60 22 90', c.accent, 9),
  ],
  'wash-bag': (c) => [
    path('M190 420c0-60 70-96 210-96s210 36 210 96l14 190c0 20-12 28-30 28H206c-18 0-30-8-30-28z', c.main),
    path('M520 342c56 16 90 42 90 78l14 190c0 20-12 28-30 28h-90c34-90 38-200 16-296z', c.shade),
    line('M212 398c60-52 316-52 376 0', INK, 6),
    box(566, 386, 14, 48, 6, BRASS.main),
    line('M190 470c-50 10-54 80-6 92', c.accent, 16),
    path('M180 560h440l4 50c0 20-12 28-30 28H206c-18 0-30-8-30-28z', c.accent),
    line('M184 556h430', c.light, 4),
    box(350, 452, 100, 56, 8, c.light),
  ],
};
