// Drawings of what cooks, cuts and keeps: boards, knives, pots, jars and spices.
import { BRASS, GLASS, INK, STEEL, WOOD } from './palette.ts';
import { box, circle, faded, group, hoop, leaf, line, mouth, oval, path, type Shapes, steam, turn } from './pen.ts';

export const KITCHEN: Shapes = {
  board: (c) => [
    group('rotate(6 400 400)', [
      path(
        'M290 270c0-36 40-40 62-62 16-16 10-80 48-80s32 64 48 80c22 22 62 26 62 62v320c0 34-20 50-54 50H344c-34 0-54-16-54-50z',
        c.main,
      ),
      path('M448 208c22 22 62 26 62 62v320c0 34-20 50-54 50h-26c30-130 36-300 18-432z', c.shade),
      circle(400, 176, 17, '#f3ead8'),
      ...[0, 1, 2, 3].map((index) =>
        line(`M${318 + index * 34} 290c${20 - index * 6} 100 ${-16 + index * 4} 200 ${6 + index} 320`, c.accent, 3),
      ),
    ]),
    ...[
      [250, 600],
      [306, 616],
    ].map(
      ([x = 0, y = 0]) => circle(x, y, 34, '#d2553f') + circle(x - 10, y - 12, 8, '#eb8f78') + leaf(x, y - 28, 30, 20),
    ),
  ],
  knife: (c) => [
    box(180, 520, 440, 116, 18, WOOD.light),
    path('M180 580h440v38c0 10-8 18-18 18H198c-10 0-18-8-18-18z', WOOD.main),
    group('rotate(-28 400 400)', [
      path('M150 380C230 330 330 340 470 340v92H300c-70 0-120-18-150-52z', STEEL.main),
      path('M150 380c60 20 170 26 320 22v30H300c-70 0-120-18-150-52z', STEEL.light),
      box(466, 334, 26, 104, 4, BRASS.main),
      path('M492 342h160c30 0 40 20 34 44l-8 36c-4 16-14 20-30 16l-156-16z', c.main),
      path('M492 392l190 8-4 22c-4 16-14 20-30 16l-156-16z', c.shade),
      ...[526, 580, 634].map((x) => circle(x, 378, 8, BRASS.main)),
    ]),
    ...[560, 500].map((x, index) => circle(x, 506 - index * 8, 30, index ? '#e5a04a' : '#d8773c')),
  ],
  pot: (c) => [
    line('M196 470c-60-10-60 60 6 62M604 470c60-10 60 60-6 62', INK, 20),
    turn(
      [
        [206, 430],
        [206, 560],
        [190, 632],
      ],
      c,
    ),
    hoop(206, 452, c.light, 5),
    oval(400, 430, 214, 34, c.shade),
    path('M190 426c10-66 100-96 210-96s200 30 210 96c-60 34-360 34-420 0z', c.main),
    path('M470 334c80 14 134 46 140 92-30 16-80 24-134 26 14-40 14-84-6-118z', c.shade),
    faded(0.6, [line('M240 392c20-24 60-34 96-38', c.light, 10)]),
    box(376, 290, 48, 44, 14, INK),
    oval(400, 288, 38, 15, INK),
    line('M300 540c34-30 66 30 100 0s66 30 100 0', c.accent, 7),
    steam(560, 300),
  ],
  pan: (c) => [
    group('rotate(-18 600 470)', [box(560, 452, 220, 40, 20, c.shade), circle(756, 472, 9, '#f3ead8')]),
    oval(360, 540, 250, 92, c.shade),
    oval(360, 520, 250, 92, c.main),
    oval(360, 520, 222, 76, INK),
    oval(360, 514, 180, 58, '#e2b877'),
    oval(354, 506, 176, 54, '#f0cf96'),
    ...[
      [280, 500, 22],
      [340, 484, 14],
      [398, 514, 26],
      [330, 526, 16],
      [450, 496, 15],
      [254, 522, 10],
    ].map(([x = 0, y = 0, r = 0]) => oval(x, y, r, r * 0.45, '#c98d4b')),
    steam(350, 430),
  ],
  jars: (c) => {
    const jar = (x: number, top: number, r: number, full: number, filling: string) => [
      turn(
        [
          [r, top],
          [r + 4, (top + 630) / 2],
          [r - 4, 630],
        ],
        GLASS,
        x,
      ),
      turn(
        [
          [r, full],
          [r - 2, 626],
        ],
        { main: filling, shade: `${filling}cc`, light: '#ffffff88' },
        x,
      ),
      oval(x, full, r, r * 0.15, '#ffffff66'),
      turn(
        [
          [r - 4, top - 40],
          [r - 4, top],
        ],
        WOOD,
        x,
      ),
      oval(x, top - 40, r - 4, (r - 4) * 0.15, WOOD.light),
      box(x - r * 0.5, (top + 660) / 2 - 30, r, 50, 6, '#fbf4e6'),
      line(`M${x - r * 0.3} ${(top + 660) / 2 - 5}h${r * 0.6}`, INK, 4),
    ];
    return [
      ...jar(520, 280, 90, 330, c.main),
      ...jar(270, 390, 88, 440, c.accent),
      ...jar(408, 480, 70, 520, '#e8d5ac'),
    ];
  },
  'salt-cellar': (c) => [
    turn(
      [
        [130, 470],
        [150, 540],
        [120, 620],
        [110, 636],
      ],
      c,
    ),
    mouth(130, 470, c.light, '#fdfaf3'),
    faded(0.7, [
      line('M280 540c40 34 60-20 100 10s60 20 130-16', c.accent, 5),
      line('M290 570c50 34 70-10 110 10s60 10 100-10', c.light, 4),
    ]),
    group('rotate(20 560 330)', [
      oval(470, 400, 134, 30, c.shade),
      oval(470, 392, 134, 28, c.main),
      circle(470, 376, 18, c.accent),
    ]),
    ...[
      [250, 636],
      [226, 644],
      [276, 648],
      [586, 640],
      [560, 650],
    ].map(([x = 0, y = 0]) => box(x, y, 9, 9, 2, '#fdfaf3', x)),
  ],
  mortar: (c) => [
    group('rotate(28 470 300)', [
      box(444, 170, 52, 250, 26, c.shade),
      box(444, 170, 30, 250, 15, c.main),
      oval(470, 186, 36, 34, c.main),
    ]),
    turn(
      [
        [176, 410],
        [170, 480],
        [110, 570],
        [96, 600],
        [128, 634],
      ],
      c,
    ),
    mouth(176, 410, c.light, c.shade),
    oval(380, 416, 90, 15, '#8a8f4f'),
    turn(
      [
        [176, 414],
        [174, 450],
      ],
      c,
    ),
    hoop(176, 412, c.light, 7),
    leaf(232, 640, 60, -70),
    leaf(590, 646, 66, 74),
  ],
  'spice-tin': (c) => [
    oval(400, 540, 250, 96, c.shade),
    path('M150 470h500v70H150z', c.shade),
    oval(400, 470, 250, 96, c.light),
    oval(400, 474, 234, 86, c.shade),
    ...[
      ['#d8872c', 0, 0],
      ['#b5382e', -1, 0],
      ['#8a5a33', 1, 0],
      ['#e3b53f', -0.5, -1],
      ['#6d7a3f', 0.5, -1],
      ['#4b352b', -0.5, 1],
      ['#d9c39a', 0.5, 1],
    ].map(([fill, x, y]) => {
      const [cx, cy] = [400 + Number(x) * 146, 472 + Number(y) * 52];
      return (
        oval(cx, cy, 66, 24, c.light) +
        oval(cx, cy + 2, 58, 19, String(fill)) +
        oval(cx - 10, cy - 4, 22, 7, '#ffffff33')
      );
    }),
    group('rotate(-24 560 380)', [oval(486, 380, 30, 20, STEEL.shade), line('M510 380h130', STEEL.main, 11)]),
  ],
};
