// Drawings of what coffee is made with, and of coffee itself.
import { GLASS, INK, PAPER, STEEL, WOOD } from './palette.ts';
import { band, box, circle, faded, hoop, line, mouth, oval, path, type Shapes, steam, turn } from './pen.ts';

const BREW = { main: '#6b4029', shade: '#4d2c1b', light: '#8c5a3c' };

const bean = (x: number, y: number, size: number, angle: number): string =>
  oval(x, y, size, size * 0.68, BREW.main, angle) +
  `<path d="M${x - size} ${y}q${size * 0.5} ${-size * 0.4} ${size} 0t${size} 0" fill="none" stroke="${BREW.shade}" stroke-width="${size * 0.16}" transform="rotate(${angle} ${x} ${y})"/>`;

export const COFFEE: Shapes = {
  dripper: (c) => [
    turn(
      [
        [96, 470],
        [100, 560],
        [92, 630],
      ],
      GLASS,
    ),
    band(98, 540, 92, 628, BREW.main),
    line('M494 480c70-4 66 110-2 112', GLASS.shade, 14),
    oval(400, 462, 132, 20, c.shade),
    oval(400, 454, 132, 19, c.main),
    line('M524 330c84-8 76 96-26 92', c.shade, 20),
    turn(
      [
        [150, 300],
        [112, 380],
        [62, 446],
      ],
      c,
    ),
    ...[-80, -40, 0, 40].map((x) => line(`M${400 + x * 1.2} 344l${-x * 0.5} 84`, c.light, 5)),
    path('M264 300l40-58h192l40 58z', PAPER.main),
    mouth(150, 300, c.light, BREW.main),
    steam(400, 262),
  ],
  carafe: (c) => [
    line('M470 330c110 0 120 220 30 250', WOOD.shade, 26),
    turn(
      [
        [96, 250],
        [62, 320],
        [66, 360],
        [138, 500],
        [146, 570],
        [112, 628],
      ],
      GLASS,
    ),
    band(132, 490, 113, 627, BREW.main),
    band(64, 312, 72, 384, WOOD.main),
    hoop(68, 348, c.accent, 9),
    circle(400, 366, 8, INK),
    mouth(96, 250, GLASS.light, GLASS.shade),
    steam(400, 210),
  ],
  kettle: (c) => [
    line('M276 590C180 590 210 400 150 352l-36-4', c.shade, 30),
    line('M274 580C190 580 212 400 152 346l-36-4', c.main, 18),
    line('M522 420c120-40 150 60 96 150', INK, 26),
    turn(
      [
        [106, 396],
        [150, 480],
        [162, 632],
      ],
      c,
    ),
    hoop(160, 600, c.shade, 6),
    oval(400, 396, 108, 18, c.shade),
    turn(
      [
        [30, 366],
        [100, 388],
      ],
      c,
    ),
    line('M400 360v-14', INK, 14),
    circle(400, 330, 22, INK),
  ],
  grinder: (c) => [
    line('M400 236V180h130', STEEL.shade, 14),
    oval(544, 172, 28, 34, WOOD.main),
    oval(536, 164, 8, 14, WOOD.light),
    turn(
      [
        [70, 244],
        [96, 268],
      ],
      STEEL,
    ),
    turn(
      [
        [98, 270],
        [98, 440],
      ],
      c,
    ),
    turn(
      [
        [98, 440],
        [92, 470],
        [98, 500],
      ],
      WOOD,
    ),
    turn(
      [
        [98, 502],
        [98, 600],
        [88, 634],
      ],
      { main: GLASS.main, shade: GLASS.shade, light: GLASS.light },
    ),
    band(97, 560, 89, 632, BREW.main),
    hoop(98, 300, c.light, 4),
    hoop(98, 400, c.light, 4),
    oval(400, 244, 70, 10, STEEL.light),
    ...[
      [238, 626, 20, 20],
      [196, 634, 18, -30],
      [574, 632, 19, 40],
    ].map(([x, y, size, angle]) => bean(x ?? 0, y ?? 0, size ?? 0, angle ?? 0)),
  ],
  'moka-pot': (c) => [
    line('M494 330c120-20 110 110 84 170', INK, 26),
    path('M300 292l-58-6 62 66z', c.shade),
    path('M304 280h192l26 196H278z', c.main),
    path('M440 280h56l26 196h-70z', c.shade),
    path('M304 280h52l-24 196h-54z', c.light),
    box(280, 470, 240, 28, 8, STEEL.shade),
    path('M282 498h236l28 138H254z', c.main),
    path('M450 498h68l28 138h-84z', c.shade),
    path('M282 498h58l-22 138h-64z', c.light),
    circle(400, 560, 12, STEEL.shade),
    path('M300 282c30-34 170-34 200 0z', c.shade),
    circle(400, 244, 18, INK),
    steam(230, 250),
  ],
  beans: (c) => [
    path('M286 250h228l30 66v300c0 16-10 24-26 24H282c-16 0-26-8-26-24V316z', c.main),
    path('M514 250l30 66v300c0 16-10 24-26 24h-52c16-120 20-260 4-390z', c.shade),
    box(280, 222, 240, 38, 8, c.shade),
    line('M296 241h208', c.light, 5),
    box(308, 368, 184, 176, 12, PAPER.main),
    circle(400, 424, 36, c.accent),
    path('M316 470c30-34 54-34 84 0s56 24 84-6v60H316z', c.main),
    bean(400, 424, 20, -35),
    box(340, 506, 120, 8, 4, PAPER.light),
    box(362, 522, 76, 8, 4, PAPER.light),
    ...[
      [206, 622, 22, 15],
      [166, 640, 20, -40],
      [600, 630, 22, 50],
      [642, 642, 18, 0],
      [236, 648, 18, 70],
    ].map(([x, y, size, angle]) => bean(x ?? 0, y ?? 0, size ?? 0, angle ?? 0)),
  ],
  filters: (c) => [
    box(236, 380, 328, 256, 14, c.main),
    path('M500 380h50a14 14 0 0 1 14 14v228a14 14 0 0 1-14 14h-50z', c.shade),
    ...[0, 1, 2, 3].map((index) =>
      path(
        `M${282 + index * 16} 386l40-${150 + index * 10}h132l40 ${150 + index * 10}z`,
        index % 2 ? PAPER.main : PAPER.shade,
      ),
    ),
    box(236, 384, 328, 252, 14, c.main),
    box(498, 384, 66, 252, 14, c.shade),
    circle(380, 506, 66, PAPER.main),
    path('M340 484h80l-28 52h-24z', c.accent),
    line('M380 540v18', c.accent, 7),
    faded(0.5, [line('M262 410h210', c.light, 6)]),
  ],
};
