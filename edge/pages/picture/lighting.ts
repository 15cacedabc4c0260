// Drawings of what gives light: lamps, pendants, lanterns and candles.
import { BRASS, GLOW, INK, STEEL, WOOD } from './palette.ts';
import { box, circle, faded, hoop, line, mouth, oval, path, repeat, type Shapes, turn } from './pen.ts';

const halo = (x: number, y: number, r: number): string =>
  faded(0.35, [circle(x, y, r, GLOW), circle(x, y, r * 0.68, GLOW)]);

export const LIGHTS: Shapes = {
  'table-lamp': (c) => [
    halo(400, 430, 230),
    line('M470 630c60 14 120-10 170 8', INK, 6),
    turn(
      [
        [64, 400],
        [54, 500],
        [92, 600],
        [118, 628],
      ],
      c,
    ),
    oval(400, 400, 150, 26, GLOW),
    path('M206 396c0-126 84-190 194-190s194 64 194 190c-60 28-328 28-388 0z', c.main),
    path('M446 210c90 20 148 82 148 186-26 12-76 19-132 20 22-70 20-150-16-206z', c.shade),
    faded(0.6, [line('M250 350c8-50 40-88 84-106', c.light, 12)]),
  ],
  'tripod-lamp': (c) => [
    halo(400, 300, 220),
    line('M400 380L296 636M400 380l104 256M400 380l14 250', WOOD.shade, 16),
    line('M396 380L292 634', WOOD.main, 10),
    line('M340 530h116', BRASS.main, 7),
    circle(400, 384, 20, BRASS.main),
    path('M310 170h180l56 190H254z', c.main),
    path('M440 170h50l56 190h-84z', c.shade),
    oval(400, 360, 146, 20, GLOW),
    line('M312 176h176', c.accent, 8),
    line('M258 352c90 24 194 24 284 0', c.accent, 8),
  ],
  pendant: (c) => [
    line('M400 0v220', INK, 6),
    halo(400, 500, 210),
    oval(400, 480, 240, 42, GLOW),
    path('M160 478c4-150 100-250 240-250s236 100 240 250c-80 48-400 48-480 0z', c.main),
    path('M470 238c106 32 166 120 170 240-36 22-110 34-186 36 36-90 40-190 16-276z', c.shade),
    ...[0, 1, 2, 3, 4].map((index) =>
      line(
        `M${226 - index * 13} ${330 + index * 36}c${70 + index * 6} ${30 + index} ${278 + index * 20} ${30 + index} ${348 + index * 26} 0`,
        c.light,
        6,
      ),
    ),
    ...[-150, -90, -30, 30, 90, 150].map((x) =>
      line(`M${400 + x * 0.5} 244C${400 + x * 1.1} 300 ${400 + x * 1.4} 400 ${400 + x * 1.42} 504`, c.accent, 3),
    ),
    box(376, 208, 48, 26, 8, BRASS.main),
  ],
  'cone-pendant': (c) => [
    line('M400 0v190', INK, 6),
    halo(400, 520, 210),
    turn(
      [
        [30, 190],
        [34, 240],
      ],
      { main: INK, shade: '#241a15', light: '#6a564a' },
    ),
    turn(
      [
        [36, 240],
        [80, 300],
        [206, 450],
        [222, 490],
      ],
      c,
    ),
    mouth(222, 490, c.shade, GLOW),
    circle(400, 498, 38, '#fff6d8'),
    hoop(222, 490, c.light, 6),
  ],
  lantern: (c) => [
    halo(400, 470, 210),
    line('M308 290c-20-150 204-150 184 0', c.shade, 12),
    turn(
      [
        [30, 232],
        [70, 256],
        [110, 300],
      ],
      c,
    ),
    turn(
      [
        [112, 306],
        [122, 420],
        [116, 560],
      ],
      { main: '#fff1cf', shade: '#f0d9a2', light: '#ffffff' },
    ),
    path('M400 380c44 60 46 120 0 140-46-20-44-80 0-140z', '#f0a63c'),
    path('M400 430c20 32 22 70 0 84-22-14-20-52 0-84z', '#ffe08a'),
    ...[-96, 96].map((x) => line(`M${400 + x} 306L${400 + x * 1.02} 566`, c.main, 12)),
    line('M400 322v250', c.main, 8),
    turn(
      [
        [124, 566],
        [130, 600],
        [126, 630],
      ],
      c,
    ),
    hoop(118, 440, c.main, 8),
  ],
  'solar-lantern': (c) => [
    halo(400, 470, 200),
    line('M290 380c-40-180 260-180 220 0', INK, 14),
    turn(
      [
        [120, 350],
        [126, 400],
      ],
      c,
    ),
    mouth(120, 346, STEEL.shade, '#33475f'),
    ...[-60, -20, 20, 60].map((x) => line(`M${400 + x} 332l${-x * 0.1} 30`, '#6f86a3', 3)),
    turn(
      [
        [104, 402],
        [112, 480],
        [104, 556],
      ],
      { main: '#fff0c4', shade: '#f2d694', light: '#ffffff' },
    ),
    ...[0, 1, 2].map((index) => hoop(110, 436 + index * 38, '#e9c878', 5)),
    turn(
      [
        [126, 560],
        [132, 634],
      ],
      c,
    ),
    circle(400, 616, 13, c.accent),
    hoop(129, 586, c.light, 4),
  ],
  candles: (c) => [
    halo(320, 300, 120),
    halo(500, 380, 110),
    ...[
      [270, 330, 50],
      [384, 250, 44],
      [492, 396, 52],
      [584, 470, 40],
    ].flatMap(([x = 0, y = 0, r = 0]) => [
      turn(
        [
          [r, y],
          [r, 628],
        ],
        c,
        x,
      ),
      repeat(8, (index) => (y + 40 + index * 44 < 610 ? hoop(r, y + 40 + index * 44, c.accent, 2, x) : '')),
      oval(x, y, r, r * 0.15, c.light),
      line(`M${x} ${y}v-18`, INK, 5),
      path(`M${x} ${y - 70}c22 30 22 50 0 58-22-8-22-28 0-58z`, '#f0a63c'),
      path(`M${x} ${y - 46}c10 14 10 26 0 32-10-6-10-18 0-32z`, '#ffe9a6'),
    ]),
  ],
};
