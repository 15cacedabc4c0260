// Drawings of what comes from the kiln: cups, bowls, plates and vases.
import {
  band,
  circle,
  curve,
  faded,
  hoop,
  leaf,
  line,
  mouth,
  oval,
  repeat,
  type Shapes,
  sprig,
  steam,
  turn,
} from './pen.ts';

const COFFEE = '#5a3826';

export const CERAMICS: Shapes = {
  mug: (c) => [
    line('M520 380c120-22 128 150-14 158', c.shade, 34),
    line('M520 378c112-20 120 140-14 148', c.main, 22),
    turn(
      [
        [136, 340],
        [138, 480],
        [118, 620],
      ],
      c,
    ),
    band(138, 512, 119, 620, c.accent),
    mouth(136, 340, c.light, c.shade),
    oval(400, 345, 112, 13, COFFEE),
    steam(400, 300),
  ],
  'espresso-cups': (c) => {
    const cup = (x: number, main: typeof c) => [
      oval(x, 612, 118, 21, c.shade),
      oval(x, 604, 118, 19, c.light),
      line(`M${x + 74} 500c62-10 66 70-16 72`, main.shade, 18),
      turn(
        [
          [80, 480],
          [78, 540],
          [46, 600],
        ],
        main,
        x,
      ),
      mouth(80, 480, main.light, COFFEE, x),
    ];
    return [...cup(266, c), ...cup(534, { ...c, main: c.accent, shade: c.light, light: '#ffffff' }), steam(266, 450)];
  },
  bowl: (c) => [
    turn(
      [
        [200, 420],
        [190, 500],
        [130, 585],
        [84, 616],
        [84, 636],
      ],
      c,
    ),
    faded(0.8, [hoop(196, 452, c.accent, 12), hoop(192, 478, c.accent, 5)]),
    mouth(200, 420, c.light, c.shade),
    circle(352, 415, 34, '#e2934a'),
    circle(424, 410, 38, '#d8773c'),
    circle(478, 418, 28, '#e8a85a'),
    leaf(424, 384, 42, 40),
    turn(
      [
        [200, 424],
        [196, 470],
      ],
      { main: c.main, shade: c.shade, light: c.main },
    ),
    hoop(200, 422, c.light, 8),
    faded(0.8, [hoop(196, 460, c.accent, 10)]),
  ],
  plate: (c) => [
    oval(400, 470, 250, 162, c.shade),
    oval(400, 458, 250, 160, c.main),
    oval(400, 462, 182, 112, c.shade),
    oval(400, 467, 178, 108, c.light),
    faded(0.8, [
      repeat(28, (index) => {
        const angle = (index / 28) * Math.PI * 2;
        return circle(400 + Math.cos(angle) * 216, 459 + Math.sin(angle) * 136, 6, c.accent);
      }),
    ]),
    sprig(372, 540, 150, 60),
  ],
  platter: (c) => [
    oval(400, 486, 300, 124, c.shade),
    oval(400, 472, 300, 122, c.main),
    oval(400, 476, 238, 82, c.light),
    line('M188 452c40-44 120-70 210-70', c.accent, 6),
    line('M612 492c-40 44-120 70-210 70', c.accent, 6),
    ...[
      [300, 470],
      [372, 488],
      [446, 476],
      [512, 464],
    ].map(
      ([x, y]) =>
        circle(x ?? 0, y ?? 0, 40, '#c9573b') +
        circle((x ?? 0) - 12, (y ?? 0) - 14, 9, '#e58a6a') +
        leaf(x ?? 0, (y ?? 0) - 30, 34, -30),
    ),
  ],
  'bud-vase': (c) => [
    sprig(404, 330, 190, -50),
    turn(
      [
        [34, 300],
        [28, 350],
        [40, 410],
        [104, 500],
        [108, 560],
        [72, 624],
      ],
      c,
    ),
    faded(0.7, [hoop(103, 500, c.accent, 6), hoop(109, 530, c.accent, 6)]),
    mouth(34, 300, c.light, c.shade),
  ],
  vase: (c) => [
    ...[-96, -34, 30, 92].map((bend, index) => {
      const height = 150 + (index % 2) * 34;
      return (
        line(
          curve([
            [400 + bend / 6, 330],
            [400 + bend * 0.5, 300 - height / 2],
            [400 + bend, 300 - height],
          ]),
          '#a8905f',
          6,
        ) +
        oval(400 + bend, 290 - height, 17, 42, c.accent, bend / 4) +
        oval(400 + bend - 5, 286 - height, 6, 30, '#ffffff55', bend / 4)
      );
    }),
    turn(
      [
        [74, 290],
        [58, 330],
        [92, 400],
        [126, 480],
        [112, 570],
        [80, 636],
      ],
      c,
    ),
    band(125, 478, 122, 530, c.accent),
    hoop(113, 556, c.accent, 5),
    mouth(74, 290, c.light, c.shade),
  ],
};
